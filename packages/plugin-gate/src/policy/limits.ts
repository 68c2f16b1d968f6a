/** Bounds of a bundle, whatever its form. */
export const LIMITS = {
  files: 2_000,
  fileBytes: 1_048_576,
  totalBytes: 16_777_216,
  pathBytes: 255,
} as const;
