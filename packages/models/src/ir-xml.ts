/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its text, trimmed; empty where it has child elements. */
  readonly text: string;
}

/** Elements inside of each other; those of OpenVINO have six. */
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 200_000;

const DECLARATION = /^\uFEFF?<\?xml[^<>]*\?>/;
/** A start or end tag, or text up to the next one. */
const TOKEN = /<(\/?)([A-Za-z_][\w.-]*)([^<>]*?)(\/?)>|([^<>]+)/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/**
 * Reads the part of XML that OpenVINO writes: elements, attributes and text. Document types, entities, comments, CDATA and
 * `<` or `>` in values are errors, so nothing is expanded and nothing else is read.
 * @throws Error that names the offset
 */
export function readXml(text: string): XmlElement {
  const root = { name: '', attributes: new Map(), children: [] as XmlElement[], text: '' };
  const open = [root];
  let count = 0;
  let at = DECLARATION.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    const [all = '', slash, name = '', attributes = '', empty, characters] = token ?? [];
    const parent = open.at(-1)!;
    if (!token || all.includes('&')) throw notXml(at, 'only elements, attributes and text are read');
    if (characters !== undefined) {
      parent.text += characters.trim();
    } else if (slash) {
      if (name !== parent.name || /\S/.test(attributes + empty))
        throw notXml(at, `no element ${name} is open`);
      open.pop();
    } else {
      const element = { name, attributes: attributesOf(attributes, at), children: [], text: '' };
      parent.children.push(element);
      if (!empty) open.push(element);
      if (++count > MAX_ELEMENTS) throw notXml(at, `it has more than ${MAX_ELEMENTS} elements`);
    }
    if (parent.children.length > 0 && parent.text) throw notXml(at, 'text stands beside elements');
    if (open.length > MAX_DEPTH) throw notXml(at, `elements are deeper than ${MAX_DEPTH}`);
    at += all.length;
  }
  const [document, ...others] = root.children;
  if (!document || others.length > 0 || open.length > 1) throw notXml(at, 'one whole element is needed');
  return document;
}

function attributesOf(text: string, offset: number): Map<string, string> {
  const attributes = new Map<string, string>();
  const { length } = text.trimEnd();
  for (let at = 0; at < length; at = ATTRIBUTE.lastIndex) {
    ATTRIBUTE.lastIndex = at;
    const [, name = '', quoted, single = ''] = ATTRIBUTE.exec(text) ?? [];
    if (!name || attributes.has(name)) throw notXml(offset, 'an attribute is malformed or stands twice');
    attributes.set(name, quoted ?? single);
  }
  return attributes;
}

function notXml(offset: number, why: string): Error {
  return new Error(`The XML cannot be read at character ${offset}: ${why}.`);
}
