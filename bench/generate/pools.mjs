import { random } from './random.mjs';

const POOL_BYTES = 400_000;

const nouns =
  'account,batch,buffer,cache,client,column,cursor,entry,event,field,group,header,index,item,key,label,limit,line,node,offset,page,path,query,range,record,result,row,session,source,state,table,target,token,value,window'.split(
    ',',
  );
const verbs =
  'add,apply,build,check,close,collect,compare,copy,count,decode,encode,fetch,filter,find,flush,format,load,merge,open,parse,read,render,reset,resolve,send,sort,split,store,update,validate,write'.split(
    ',',
  );
const camel = (verb, noun) => `${verb}${noun[0].toUpperCase()}${noun.slice(1)}`;

/** For each extension: how a comment is written, and a function that makes one block of lines. */
const makers = {
  ts: [
    (text) => `// ${text}`,
    ({ v, n, m, k }) =>
      `/** Finds the ${n} that a ${m} belongs to. */\nexport async function ${camel(v, n)}(${m}: ${camel('', m)}, limit = ${k}): Promise<string[]> {\n  const ${n}s = await ${camel('load', n)}(${m}.id);\n  if (${n}s.length > limit) {\n    throw new RangeError(\`${n}: more than \${limit}\`);\n  }\n  return ${n}s.filter((${n}) => ${n}.${m} !== undefined).map((${n}) => ${n}.name);\n}\n\n`,
  ],
  py: [
    (text) => `# ${text}`,
    ({ v, n, m, k }) =>
      `def ${v}_${n}(${m}: str, limit: int = ${k}) -> list[str]:\n    """Return every ${n} of the ${m}, at most \`\`limit\`\` of them."""\n    found = []\n    for ${n} in load_${n}s(${m}):\n        if ${n}.${m} is None:\n            continue\n        found.append(${n}.name)\n    return found[:limit]\n\n\n`,
  ],
  go: [
    (text) => `// ${text}`,
    ({ v, n, m, k }) =>
      `// ${camel(v, n)} returns the ${n} of a ${m}.\nfunc (s *store) ${camel(v, n)}(ctx context.Context, ${m} string) ([]string, error) {\n\trows, err := s.query(ctx, ${m}, ${k})\n\tif err != nil {\n\t\treturn nil, fmt.Errorf("${v} ${n}: %w", err)\n\t}\n\tvar found []string\n\tfor _, row := range rows {\n\t\tfound = append(found, row.${camel('', n)})\n\t}\n\treturn found, nil\n}\n\n`,
  ],
  rs: [
    (text) => `// ${text}`,
    ({ v, n, m, k }) =>
      `/// The ${n} that a ${m} names.\npub fn ${v}_${n}(&self, ${m}: &str) -> Result<Vec<String>, Error> {\n    let mut found = Vec::with_capacity(${k});\n    for ${n} in self.${n}s(${m})? {\n        if ${n}.is_empty() {\n            continue;\n        }\n        found.push(${n}.to_string());\n    }\n    Ok(found)\n}\n\n`,
  ],
  java: [
    (text) => `// ${text}`,
    ({ v, n, m, k }) =>
      `    /** Returns each ${n} of the given ${m}. */\n    public List<String> ${camel(v, n)}(String ${m}) throws IOException {\n        List<String> found = new ArrayList<>(${k});\n        for (var ${n} : ${n}s.of(${m})) {\n            if (${n}.isBlank()) {\n                continue;\n            }\n            found.add(${n});\n        }\n        return found;\n    }\n\n`,
  ],
  c: [
    (text) => `/* ${text} */`,
    ({ v, n, m, k }) =>
      `/* ${v} the ${n} of a ${m}; returns how many there are */\nstatic int ${v}_${n}(struct ${m} *${m}, size_t limit)\n{\n  size_t i;\n  for(i = 0; i < limit && i < ${k}; i++) {\n    if(!${m}->${n}[i])\n      break;\n  }\n  return (int)i;\n}\n\n`,
  ],
  md: [
    (text) => `# ${text}`,
    ({ v, n, m, k }) =>
      `## To ${v} a ${n}\n\nA ${m} holds at most ${k} of them. Call \`${v}_${n}\` with the ${m}'s name – it answers with the ${n}s in the order in which they were stored, and with an empty list where there is none.\n\n- the ${m} must exist\n- each ${n} is checked first\n\n`,
  ],
  json: [
    (text) => `{"file": ${JSON.stringify(text)}}`,
    ({ v, n, m, k }) => `{"${n}": {"${m}": "${v}", "limit": ${k}}}\n`,
  ],
  yaml: [
    (text) => `# ${text}`,
    ({ v, n, m, k }) => `- name: ${v}-${n}\n  ${m}:\n    limit: ${k}\n    enabled: true\n`,
  ],
  css: [
    (text) => `/* ${text} */`,
    ({ v, n, m, k }) => `.${n}-${m} .${v} {\n  margin: ${k}px;\n  display: flex;\n  color: #33475b;\n}\n\n`,
  ],
  html: [
    (text) => `<!-- ${text} -->`,
    ({ v, n, m, k }) =>
      `<section id="${n}-${k}">\n  <h2>${v} ${m}</h2>\n  <p>The ${n} of a ${m} stands here.</p>\n</section>\n`,
  ],
  sh: [
    (text) => `# ${text}`,
    ({ v, n, m, k }) =>
      `${v}_${n}() {\n  local ${m}="$1"\n  for i in $(seq ${k}); do\n    printf '%s\\n' "$${m}-$i"\n  done\n}\n\n`,
  ],
};

function pool(extension, seed) {
  const [comment, block] = makers[extension];
  const r = random(seed);
  const parts = [];
  for (let size = 0; size < POOL_BYTES; ) {
    const part = block({ v: r.pick(verbs), n: r.pick(nouns), m: r.pick(nouns), k: 1 + r.below(500) });
    parts.push(part);
    size += part.length;
  }
  const bytes = Buffer.from(parts.join(''));
  return { bytes, lines: lineStarts(bytes), comment };
}

function lineStarts(bytes) {
  const lines = [0];
  for (let at = bytes.indexOf(10); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1)) {
    lines.push(at + 1);
  }
  return lines;
}

/** Bytes that no text has, with a PNG's first ones in front. */
function binaryPool(seed) {
  const r = random(seed);
  const bytes = Buffer.from(Array.from({ length: POOL_BYTES }, () => r.below(256)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  for (let at = 0; at < bytes.length; at += 1000) signature.copy(bytes, at);
  const lines = Array.from({ length: POOL_BYTES / 1000 }, (_, i) => i * 1000);
  return { bytes, lines };
}

/** Lines to cut files from, by extension: `bytes`, where each line starts, and how a comment is written. */
export const pools = new Map([
  ...Object.keys(makers).map((extension, i) => [extension, pool(extension, i + 1)]),
  ['png', binaryPool(99)],
]);
