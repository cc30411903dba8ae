import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import type { Kept, NotKept } from '../../spool/types.ts';
import { addressOf, mediaWords } from '../words.ts';
import type { Media } from './media.ts';
import type { KeptResult, ResultOptions } from './plan.ts';
import { type Blocks, blockIn } from './sites.ts';

/** The blocks once media have been replaced. */
export interface WithoutMedia {
  readonly blocks: Blocks;
  /** What stands instead, with the field that has our words. */
  readonly ours: ReadonlyMap<Held, 'text' | 'description'>;
  /** The indices of the blocks that are texts of ours now. */
  readonly ourTexts: ReadonlySet<number>;
}

/** The blocks with those media replaced that can't stay, by links or by words. */
export function withoutMedia(
  blocks: Blocks,
  gone: ReadonlySet<Media>,
  what: KeptResult,
  options: ResultOptions,
): WithoutMedia {
  const ours = new Map<Held, 'text' | 'description'>();
  const ourTexts = new Set<number>();
  const byHolder = new Map([...gone].map((media) => [media.holder as Held, media]));
  const replaced = (items: readonly Held[], offset: number) =>
    items.map((item, index) => {
      const block = blockIn(item, blocks.key);
      const holder = isHeldObject(block) && isHeldObject(block.resource) ? block.resource : block;
      const media = byHolder.get(holder);
      if (!media || !isHeldObject(block)) return item;
      const path = `/${blocks.key}/${offset + index}${blocks.key === 'messages' ? '/content' : ''}`;
      const at = `${path}${holder === block ? '' : '/resource'}/${media.key}`;
      const instead = insteadOf(block, media, what.partAt(at), blocks.key, what.kept, options);
      const isLink = instead.type === 'resource_link';
      ours.set(instead, isLink ? 'description' : 'text');
      if (!isLink) ourTexts.add(offset + index);
      return block === item || !isHeldObject(item) ? instead : { ...item, content: instead };
    });
  const first = replaced(blocks.first, 0);
  const last = replaced(blocks.last, blocks.count - blocks.last.length);
  return { blocks: { ...blocks, first, last }, ours, ourTexts };
}

/** What stands for a block whose media can't stay. Whatever else the block says stays. */
function insteadOf(
  block: HeldObject,
  media: Media,
  partName: string | undefined,
  list: Blocks['key'],
  kept: Kept | NotKept,
  { readers, links }: ResultOptions,
): HeldObject {
  const part = 'reason' in kept ? undefined : kept.parts.find(({ name }) => name === partName);
  const { data: _data, resource, ...rest } = block;
  const bytes = part?.bytes ?? media.bytes;
  const what = `${media.mimeType ?? 'a file'}`;
  const words = mediaWords({ what, bytes }, part, kept, readers);
  if (list === 'contents') {
    const { blob: _blob, ...contents } = block;
    return { ...contents, text: words };
  }
  if ('reason' in kept || !links) {
    const { mimeType: _mimeType, ...text } = rest;
    return { ...text, type: 'text', text: words };
  }
  const name =
    isHeldObject(resource) && typeof resource.uri === 'string' ? resource.uri : (partName ?? 'media');
  return {
    ...rest,
    type: 'resource_link',
    uri: addressOf(kept, partName ?? 'result'),
    name,
    description: words,
    ...(media.mimeType !== undefined && { mimeType: media.mimeType }),
    size: bytes,
  };
}
