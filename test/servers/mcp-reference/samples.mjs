// What the server's tools, resources and prompts answer with. `bulk` characters are put behind every text and
// every base64, so that the same answers can be had in a size that has to be bounded.

const PIXEL = [
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de',
  '0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082',
].join('');
const SILENCE = [
  '524946462600000057415645666d7420100000000100010040',
  '1f0000803e00000200100064617461020000000000',
].join('');

/** @param {number} bulk */
export function samples(bulk) {
  const behind =
    bulk === 0 ? '' : `\n${'All work and no play. '.repeat(Math.ceil(bulk / 22)).slice(0, bulk)}`;
  const base64 = (hex) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(bulk)]).toString('base64');
  return {
    /** A text, with the bulk behind it. */
    text: (text) => text + behind,
    /** A JSON text; the bulk is a member of it. */
    json: (value) => JSON.stringify(bulk === 0 ? value : { ...value, bulk: behind }),
    png: base64(PIXEL),
    wav: base64(SILENCE),
  };
}
