export function fiveFileRepository(): [string, string][];
