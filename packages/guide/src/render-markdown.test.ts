import { expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

const render = (text: string) =>
  renderMarkdown(text, (address) => (address.endsWith('.ts') ? null : address));

it('gives headings the anchors of GitHub', () => {
  const { html, sections } = render(
    '# A `b` page\n\nText.\n\n## Same\n\n## Same\n\n<!-- search: twin, kembar -->\n\n```sh\nls\n```\n',
  );
  expect(sections).toEqual([
    { level: 1, id: 'a-b-page', title: 'A b page', text: ' Text.', keywords: '' },
    { level: 2, id: 'same', title: 'Same', text: '', keywords: '' },
    { level: 2, id: 'same-1', title: 'Same', text: ' ls\n', keywords: 'twin, kembar' },
  ]);
  expect(html).toContain('<h2 id="same-1">Same</h2>');
});

it('leaves out comments and every tag but line breaks', () => {
  const { html } = render(
    '# T\n\n<!-- not run -->\n\na<br>b <b onclick="x">c</b>\n\n<script>alert(1)</script>\n',
  );
  expect(html).not.toMatch(/<(script|b)\b|<!--/);
  expect(html).toContain('a<br>b &lt;b');
});

it('names source files without a link', () => {
  const { html } = render('# T\n\nSee [the *test*](../x.test.ts) and [api](api.md#x).\n');
  expect(html).toContain('<span class="file">the <em>test</em></span> and <a href="api.md#x">api</a>');
});

it('escapes code, and lets tables and code be scrolled with the keyboard', () => {
  const { html } = render('# T\n\n```html\n<i>\n```\n\n| a | b |\n|---|---|\n| 1 | `<` |\n');
  expect(html).toContain('<pre tabindex="0"><code>&lt;i&gt;\n</code></pre>');
  expect(html).toMatch(/<div class="table" tabindex="0"><table>[\s\S]*<\/table><\/div>/);
});
