export function git(folder: string, ...args: string[]): string;
export function writeRepository(folder: string, files: readonly (readonly [string, string])[]): void;
