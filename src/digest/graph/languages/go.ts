import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Groups } from '../modules.ts';
import { folderOf, upwards, within } from '../paths.ts';
import { finds } from '../scan.ts';
import { Suffixes } from '../suffixes.ts';

/** A line of an import; imports end with the first declaration. */
const LINE =
  /^(?:(\/\*)|(?:import(?:[ \t]*\([ \t]*|[ \t]+)|[ \t]+)(?:[\w.]+[ \t]+)?"([^"\n]+)"|(?:func|type|var|const)\b)/gm;

function* read(text: string): Generator<string> {
  for (const [, , path] of finds(text, LINE)) {
    if (path === undefined) return;
    yield path;
  }
}

/** A folder with the path that its packages are imported by. */
interface Module {
  readonly path: string;
  readonly folder: string;
}

/** Of the packages of a module that are imported, so many have to be there. */
const LEAST_FOUND = 0.7;

/**
 * Where modules are, told by what is imported: the path of a package is that of its module and its folder in it. Of each
 * folder the path that fits the most imports is taken.
 */
function modulesOf({ paths, imports }: Sources, folders: Suffixes): Module[] {
  const under = new Map<string, Set<string>>();
  const votes = new Map<string, Map<string, Set<string>>>();
  for (const from of paths) {
    for (const spec of imports.get(from) ?? []) {
      for (const above of upwards(folderOf(spec))) if (above !== '') put(under, above, spec);
      for (const [folder, path] of modulesFor(spec, from, folders)) {
        const ofFolder = votes.get(folder) ?? new Map<string, Set<string>>();
        votes.set(folder, ofFolder);
        put(ofFolder, path, spec);
      }
    }
  }
  const modules: Module[] = [];
  for (const [folder, candidates] of votes) {
    let path: string | undefined;
    let most = folder === '' ? 1 : 2;
    for (const [candidate, { size }] of candidates) {
      if (size < most || size < LEAST_FOUND * (under.get(candidate)?.size ?? 0)) continue;
      if (size === most && path?.includes('.')) continue;
      path = candidate;
      most = size;
    }
    if (path !== undefined) modules.push({ path, folder });
  }
  return modules.sort((a, b) => b.path.length - a.path.length);
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

/** The modules that would explain an import: folders above the file, with their paths. */
function modulesFor(spec: string, from: string, folders: Suffixes): [folder: string, path: string][] {
  for (let slash = spec.indexOf('/'); slash > 0; slash = spec.indexOf('/', slash + 1)) {
    const rest = spec.slice(slash + 1);
    const found = folders.find(rest, from);
    if (found.length === 0) continue;
    return found
      .map((folder) => folder.slice(0, Math.max(folder.length - rest.length - 1, 0)))
      .filter((folder) => folder === '' || from.startsWith(`${folder}/`))
      .map((folder) => [folder, spec.slice(0, slash)]);
  }
  return [];
}

function resolver(sources: Sources): Resolve {
  const packages = new Groups();
  for (const path of sources.paths) if (!path.endsWith('_test.go')) packages.put(folderOf(path), path);
  const modules = modulesOf(sources, new Suffixes(packages.names));
  return (spec, from) => {
    for (const { path, folder } of modules) {
      if (spec !== path && !spec.startsWith(`${path}/`)) continue;
      const meant = within(folder, spec.slice(path.length + 1));
      const files = meant === folderOf(from) ? [] : packages.at(meant);
      if (files.length > 0) return files;
    }
    return [];
  };
}

/** An import means a folder: each of its files but tests has a share. */
export const go: ImportLanguage = { names: ['Go'], read, resolver };
