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
    // Said only to people: a script that cares names the knowledge base.
    if (others.length > 0 && context.stderr.isTty) {
      context.say(`kb: asking ${name}, ingested last; -k chooses another: ${others.join(', ')}`);
    }
    return await work(kb);
  } finally {
    kb.close();
  }
}
