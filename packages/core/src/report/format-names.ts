/** The formats of core, without what writes them: a command line is described with these names alone. */
export const FORMATS = ['text', 'json', 'sarif', 'junit', 'markdown', 'html', 'github', 'gitlab'] as const;
export type Format = (typeof FORMATS)[number];
