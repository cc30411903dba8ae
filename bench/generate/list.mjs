import { random } from './random.mjs';

/** The exact size of the list's `README.md`, in bytes. */
export const LIST_README_BYTES = 1_616_144;

const owners =
  'acme,blue-harbor,cedarworks,deltaforge,ember-io,fjordlabs,granite-dev,hexa,inkwell,juniper'.split(',');
const nouns =
  'browser,calendar,database,email,finance,game,graph,kernel,map,music,notes,search,shell,weather'.split(',');
const marks = ['🐍 🏠', '📇 ☁️', '🏎️ 🏠', '🦀 ☁️', '🐍 ☁️ 🍎', '📇 🏠 🪟 🐧', '☕ ☁️', '#️⃣ 🏠'];
const sections = [
  ['🔗', 'Aggregators'],
  ['🎨', 'Art and culture'],
  ['📂', 'Browser automation'],
  ['☁️', 'Cloud platforms'],
  ['👨‍💻', 'Code execution'],
  ['💬', 'Communication'],
  ['🗄️', 'Databases'],
  ['🛠️', 'Developer tools'],
  ['💰', 'Finance and fintech'],
  ['🎮', 'Gaming'],
  ['🧠', 'Knowledge and memory'],
  ['🔎', 'Search'],
];

const english = {
  seed: 1,
  title: 'Awesome servers',
  lead: 'A curated list of servers that give a model tools and data, of every kind and in every language.',
  legend: 'Legend',
  words:
    'a,adds,and,any,browse,data,documents,every,fast,files,finds,for,from,in,keeps,local,manage,models,of,over,query,reads,results,safe,search,server,sessions,small,structured,that,the,through,to,tools,typed,with,your'.split(
      ',',
    ),
};

const translations = [
  {
    path: 'README-zh.md',
    bytes: 251_873,
    seed: 2,
    title: '精选服务器',
    lead: '为模型提供工具和数据的服务器精选列表，涵盖各种类型和语言。',
    legend: '图例',
    words: '工具,数据,模型,服务器,搜索,文件,本地,查询,读取,管理,结果,安全,快速,所有,文档,通过'.split(','),
  },
  {
    path: 'README-zh_TW.md',
    bytes: 249_310,
    seed: 3,
    title: '精選伺服器',
    lead: '為模型提供工具和資料的伺服器精選清單，涵蓋各種類型和語言。',
    legend: '圖例',
    words: '工具,資料,模型,伺服器,搜尋,檔案,本機,查詢,讀取,管理,結果,安全,快速,所有,文件,透過'.split(','),
  },
  {
    path: 'README-ja.md',
    bytes: 256_442,
    seed: 4,
    title: 'サーバー一覧',
    lead: 'モデルにツールとデータを与えるサーバーの一覧です。',
    legend: '凡例',
    words:
      'ツール,データ,モデル,サーバー,検索,ファイル,ローカル,取得,管理,結果,安全,高速,すべて,文書,経由'.split(
        ',',
      ),
  },
  {
    path: 'README-ko.md',
    bytes: 248_077,
    seed: 5,
    title: '서버 목록',
    lead: '모델에 도구와 데이터를 제공하는 서버를 모은 목록입니다.',
    legend: '범례',
    words: '도구,데이터,모델,서버,검색,파일,로컬,조회,읽기,관리,결과,안전한,빠른,모든,문서,통해'.split(','),
  },
  {
    path: 'README-pt_BR.md',
    bytes: 247_905,
    seed: 6,
    title: 'Servidores incríveis',
    lead: 'Uma lista de servidores que dão ferramentas e dados a um modelo, de todos os tipos e linguagens.',
    legend: 'Legenda',
    words:
      'ferramentas,dados,modelo,servidor,busca,arquivos,local,consulta,lê,gerencia,resultados,seguro,rápido,não,são'.split(
        ',',
      ),
  },
  {
    path: 'README-th.md',
    bytes: 254_618,
    seed: 7,
    title: 'รายการเซิร์ฟเวอร์',
    lead: 'รายการเซิร์ฟเวอร์ที่ให้เครื่องมือและข้อมูลแก่โมเดล',
    legend: 'คำอธิบาย',
    words: 'เครื่องมือ,ข้อมูล,โมเดล,เซิร์ฟเวอร์,ค้นหา,ไฟล์,จัดการ,ผลลัพธ์,ปลอดภัย,เร็ว,ทั้งหมด,เอกสาร'.split(','),
  },
  {
    path: 'README-fa_IR.md',
    bytes: 252_226,
    seed: 8,
    title: 'فهرست سرورها',
    lead: 'فهرستی از سرورهایی که به مدل ابزار و داده می‌دهند.',
    legend: 'راهنما',
    words: 'ابزار,داده,مدل,سرور,جستجو,فایل,محلی,خواندن,مدیریت,نتیجه,امن,سریع,همه,سند'.split(','),
  },
];

function entry(r, words) {
  const owner = r.pick(owners);
  const name = `${r.pick(nouns)}-${r.pick(nouns)}-${r.below(1000)}`;
  const text = Array.from({ length: 8 + r.below(28) }, () => r.pick(words)).join(' ');
  return `- [${owner}/${name}](https://example.com/${owner}/${name}) ${r.pick(marks)} - ${text}.\n`;
}

/** A list of exactly `bytes` bytes: a title, a legend, then sections of entries. */
function list({ seed, title, lead, legend, words }, bytes) {
  const r = random(seed);
  const parts = [`# ${title}\n\n${lead}\n\n## ${legend}\n\n${marks.map((mark) => `- ${mark}\n`).join('')}\n`];
  let left = bytes - Buffer.byteLength(parts[0]);
  let section = 0;
  while (left > 1200) {
    let part = entry(r, words);
    if (bytes - left > (section * bytes) / sections.length) {
      const [emoji, name] = sections[section];
      section++;
      part = `\n### ${emoji} <a name="section-${section}"></a>${name}\n\n`;
    }
    parts.push(part);
    left -= Buffer.byteLength(part);
  }
  const last = '\n## Contributing\n\nOne entry a line, in the order of the alphabet. ';
  parts.push(last, `${'Thank you. '.repeat(200).slice(0, left - last.length - 1)}\n`);
  return parts.join('');
}

/**
 * A repository shaped like a well-known list: ten files, of which a `README.md` of `LIST_README_BYTES` bytes
 * and seven translations of about 250 kB each. Pairs of path and content; the same on every call.
 */
export function listRepository() {
  return [
    ['README.md', list(english, LIST_README_BYTES)],
    ...translations.map((translation) => [translation.path, list(translation, translation.bytes)]),
    [
      'CONTRIBUTING.md',
      '# Contributing\n\n1. Fork the list.\n2. Add your entry to its section, on one line.\n3. Open a pull request.\n',
    ],
    ['LICENSE', 'The lists are in the public domain. They come without warranty of any kind.\n'],
  ];
}
