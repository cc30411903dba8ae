export const LIST_README_BYTES: number;
export function listRepository(): [string, string][];
