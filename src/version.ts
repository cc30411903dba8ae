import manifest from '../package.json' with { type: 'json' };

/** The package's version, put in place when the package is built. */
export const version = manifest.version;
