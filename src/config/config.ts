export type * from '../core/config.ts';
export { ANCHOR_RULES } from '../core/config.ts';
