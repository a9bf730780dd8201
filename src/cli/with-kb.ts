import type { Overrides } from '../config/overrides.ts';
import { type Kb, openKb } from '../kb.ts';
import { type CommonOptions, type Context, whereOf } from './context.ts';

/** Opens the knowledge base that is meant, runs the work, and closes it whatever happens. */
export async function withKb<Result>(
  context: Context,
  options: CommonOptions,
  work: (kb: Kb) => Promise<Result>,
  overrides: Overrides = {},
): Promise<Result> {
  const kb = await openKb({ ...whereOf(context, options), overrides });
  try {
    const { name, others } = kb.located;
    // In a pipe too: whoever did not choose must be able to see what was chosen. A JSON document names it itself.
    if (others.length > 0 && options.json !== true) {
      context.say(`kb: asking ${name}, ingested last; -k chooses another: ${others.join(', ')}`);
    }
    return await work(kb);
  } finally {
    kb.close();
  }
}
