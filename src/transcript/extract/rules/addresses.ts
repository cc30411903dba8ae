import { isHypothetical } from './hypothetical.ts';
import { type Found, oneOf, opening, type Rule, trimmed } from './rule.ts';

const ARTICLE = oneOf('the', 'our', 'der', 'die', 'das', 'unsere?', 'le', 'la', 'notre', 'el', 'nuestr[oa]');
const PHRASE = String.raw`[\p{L}\p{N}._/-]{1,40}(?: [\p{L}\p{N}._/-]{1,40}){0,4}?`;
const IS = oneOf(
  "is|'s|are|runs|run|lives|live|listens|listen|sits|(?:is|are|can be) (?:now )?(?:found|reached|hosted|deployed|available|running|reachable)",
  'ist|läuft|liegt|est|se trouve|está|es',
);
const AT = oneOf('at', 'on', 'under', 'auf', 'unter', 'à', 'sur', 'en');
const PLACE = new RegExp(
  String.raw`^(?:now )?(?:${AT} )?[<\x60"(]?(?:(https?://[^\s<>"'\x60]{3,300})|([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})|((?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}):\d{2,5}|\[[\da-f:]{2,40}\]:\d{2,5}))[>\x60")]?(?=[\s.,;:!)]|$)`,
  'iu',
);
const IP = String.raw`(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const DOMAIN = String.raw`[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:app|cloud|co|com|corp|de|dev|es|eu|example|fr|internal|io|lan|local|net|org|test|uk)`;
const AT_HOST = new RegExp(
  String.raw`^(?:now )?(?:at|under|unter|à) [<\x60"(]?(${IP}|${DOMAIN})[>\x60")]?(?=[\s,;!)]|\.?$|\. )`,
  'iu',
);
/** What has an address by itself; of other things four numbers may be a version. */
const MACHINE =
  /\b(?:server|host|machine|box|node|vm|database|db|gateway|router|ip|address|adresse|proxy|printer|nas|runner|bastion|registry|instance|rechner|drucker|serveur|servidor)$/i;
const IS_IP = new RegExp(String.raw`^(?:now )?[<\x60"(]?(${IP})[>\x60")]?(?=[\s,;!)]|\.?$|\. )`, 'iu');
const PORT = /^(?:on|auf|sur|en) (?:the )?(?:port|puerto|Port) (\d{2,5})(?=[\s.,;:!)]|$)/iu;

const MINE = opening(`(?:my|meine|mon|mi) (?=e-?mail|address|adresse)(${PHRASE}) ${IS} `);
const THEIRS =
  /^(\p{Lu}[\p{L}-]{1,40}(?: \p{Lu}[\p{L}-]{1,40}){0,2})['’]s ((?:[\p{L}-]{1,30} ){0,2}(?:e-?mail|address|site|website|blog|server)) (?:address )?is /u;
const NAMED = opening(
  `(?:${ARTICLE} )(${PHRASE}(?:'s (?:url|address|ip(?: address)?|host(?:name)?))?) ${IS} `,
);

const PATH =
  /^(?:at|in|under) (?:the )?\x60?((?:~|\.{1,2})?\/?[\w.-]{1,80}(?:\/[\w.-]{1,80}){1,12}\/?)\x60?(?=[\s,;:!)]|\.?$|\.\s)/;
const KEPT = opening(`(?:${ARTICLE} )(${PHRASE}) (?:lives?|(?:is|are) (?:stored|kept|located)) `);

const PORT_IS = [
  opening(String.raw`(?:${ARTICLE} )(${PHRASE}) port is (?:now )?(\d{2,5})(?=[\s.,;:!)]|$)`),
  opening(
    String.raw`(?:the port (?:of|for) (?:the |our )?)(${PHRASE}) is (?:now )?(\d{2,5})(?=[\s.,;:!)]|$)`,
  ),
  opening(
    String.raw`(?:der Port (?:von|vom|für|der|des) (?:den |die |das )?)(${PHRASE}) ist (?:die )?(\d{2,5})(?=[\s.,;:!)]|$)`,
  ),
  opening(
    String.raw`(?:le port (?:de|du|pour) (?:la |le )?)(${PHRASE}) est (?:le )?(\d{2,5})(?=[\s.,;:!)]|$)`,
  ),
  opening(
    String.raw`(?:el puerto (?:de|del|para) (?:la |el )?)(${PHRASE}) es (?:el )?(\d{2,5})(?=[\s.,;:!)]|$)`,
  ),
];

/** Where things and people can be reached: URLs, e-mail addresses, hosts with ports. */
export const addresses: Rule = {
  *find(said, speaker) {
    if (isHypothetical(said)) return;
    const theirs = THEIRS.exec(said);
    if (theirs) yield* placeOf(theirs[1] ?? '', said.slice(theirs[0].length));
    const mine = MINE.exec(said);
    if (mine) yield* placeOf(speaker, said.slice(mine[0].length));
    const named = theirs || mine ? null : NAMED.exec(said);
    const what = named?.[1] ?? '';
    if (named) yield* placeOf(withoutKind(what), said.slice(named[0].length), MACHINE.test(what));
    const kept = KEPT.exec(said);
    const path = kept && PATH.exec(said.slice(kept[0].length))?.[1];
    if (path) yield { subject: kept[1] ?? '', attribute: 'path', value: path.replace(/\.$/, '') };
    for (const pattern of PORT_IS) {
      const [, subject = '', port] = pattern.exec(said) ?? [];
      if (port) yield { subject, attribute: 'port', value: port };
    }
  },
};

function* placeOf(subject: string, rest: string, isMachine = false): Generator<Found> {
  const [, url, email, withPort] = PLACE.exec(rest) ?? [];
  const host = withPort ?? AT_HOST.exec(rest)?.[1] ?? (isMachine ? IS_IP.exec(rest)?.[1] : undefined);
  const port = PORT.exec(rest)?.[1];
  if (url) yield { subject, attribute: 'url', value: trimmed(url).replace(/[)\]]$/, '') };
  if (email) yield { subject, attribute: 'email', value: email };
  if (host) yield { subject, attribute: 'address', value: host };
  if (port) yield { subject, attribute: 'port', value: port };
}

/** "The staging server's URL" is about the staging server. */
function withoutKind(phrase: string): string {
  return phrase.replace(/(?:['’]s)? (?:url|ip|host(?:name)?|address|e-?mail)(?: address)?$/i, '');
}
