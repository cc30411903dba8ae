/** Bytes as a person reads them: `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const steps = Math.min(Math.floor(Math.log10(bytes) / 3), 3);
  return `${(bytes / 1000 ** steps).toFixed(1)} ${' KMG'[steps]}B`;
}
