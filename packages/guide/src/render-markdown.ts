import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

/** A heading with its anchor. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly title: string;
}

/** A heading with the text below it, up to the next one, for the search. */
export interface Section extends Heading {
  readonly text: string;
  /** What else it is searched by: `<!-- search: lost password, lupa kata sandi -->` below its heading. */
  readonly keywords: string;
}

export interface RenderedPage {
  readonly html: string;
  /** The first one is the title of the page. */
  readonly sections: readonly Section[];
}

/** Receives the address of a link or picture as written. @returns the address on the site; null: there is none */
export type ResolveAddress = (address: string) => string | null;

export const { escapeHtml } = new MarkdownIt().utils;

type Parser = InstanceType<typeof MarkdownIt>;
type Token = ReturnType<Parser['parse']>[number];

/**
 * Renders a document. Headings get the anchors that GitHub gives them. Comments are left out, and of HTML only line
 * breaks are allowed: nothing in a page needs more of the Content-Security-Policy than `self`.
 */
export function renderMarkdown(text: string, resolve: ResolveAddress): RenderedPage {
  const md = new MarkdownIt({ html: true });
  md.validateLink = () => true;
  const tokens = md.parse(text, {});
  const sections = anchored(tokens);
  for (const { children } of tokens) resolveAddresses(children ?? [], resolve);
  const code = ({ content }: Token) => `<pre tabindex="0"><code>${escapeHtml(content)}</code></pre>\n`;
  Object.assign(md.renderer.rules, {
    html_block: () => '',
    html_inline: (all, at) => (/^<br ?\/?>$/.test(all[at]!.content) ? '<br>' : escapeHtml(all[at]!.content)),
    table_open: () => '<div class="table" tabindex="0"><table>',
    table_close: () => '</table></div>',
    fence: (all, at) => code(all[at]!),
    code_block: (all, at) => code(all[at]!),
  } satisfies Parser['renderer']['rules']);
  return { html: md.renderer.render(tokens, md.options, {}), sections };
}

/** Links without an address on the site become plain names. */
function resolveAddresses(tokens: readonly Token[], resolve: ResolveAddress): void {
  const opened: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'image') token.attrSet('src', resolve(String(token.attrGet('src'))) ?? '');
    if (token.type === 'link_close') token.tag = opened.pop()!.tag;
    if (token.type !== 'link_open') continue;
    opened.push(token);
    const address = resolve(String(token.attrGet('href')));
    if (address !== null) token.attrSet('href', address);
    else Object.assign(token, { tag: 'span', attrs: [['class', 'file']] });
  }
}

/** Gives the headings their anchors. @returns the sections of the page */
function anchored(tokens: readonly Token[]): Section[] {
  const slugger = new GithubSlugger();
  const sections: (Heading & { text: string; keywords: string })[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1]!);
      const id = slugger.slug(title);
      token.attrSet('id', id);
      sections.push({ level: Number(token.tag.slice(1)), id, title, text: '', keywords: '' });
    } else if (token.type === 'html_block') {
      const [, keywords] = /^<!-- search: (.+) -->/.exec(token.content) ?? [];
      if (keywords !== undefined) sections.at(-1)!.keywords = keywords;
    } else if (token.type === 'fence' || token.type === 'inline') {
      if (tokens[index - 1]?.type === 'heading_open') continue;
      const section = sections.at(-1);
      if (section) section.text += ` ${token.type === 'fence' ? token.content : plainText(token)}`;
    }
  }
  return sections;
}

function plainText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : type === 'html_inline' ? ' ' : content))
    .join('');
}
