import * as z from 'zod';
import { nearest } from '../../config/nearest.ts';
import { KbError } from '../../core/errors.ts';
import { type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { SCHEMAS } from '../schemas.ts';

/** The JSON Schema (draft 2020-12) of one command's output, or of all. */
export async function schemaCommand(context: Context, name: string | undefined): Promise<ExitCode> {
  if (name === undefined) {
    printJson(
      context,
      Object.fromEntries(Object.entries(SCHEMAS).map(([key, schema]) => [key, z.toJSONSchema(schema)])),
    );
    return EXIT.answered;
  }
  const schema = SCHEMAS[name];
  if (schema === undefined) {
    const near = nearest(name, Object.keys(SCHEMAS));
    const guess = near === undefined ? '' : `; did you mean ${near}?`;
    throw new KbError(
      'usage-invalid',
      `no schema "${name}" (there are ${Object.keys(SCHEMAS).join(', ')})${guess}`,
      { argument: name },
    );
  }
  printJson(context, z.toJSONSchema(schema));
  return EXIT.answered;
}
