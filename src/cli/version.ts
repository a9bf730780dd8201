/** Replaced by the build with the version of package.json. */
declare const KB_VERSION: string | undefined;

export const VERSION: string = typeof KB_VERSION === 'string' ? KB_VERSION : '0.0.0-source';
