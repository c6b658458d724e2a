import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";

const html = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }));

test("lists, emphasis, headings, code and tables are formatted", () => {
  expect(html("# Plan\n\nA **bold** and *thin* `x < y` ~~no~~\nnext")).toBe(
    "<h3>Plan</h3><p>A <strong>bold</strong> and <em>thin</em> <code>x &lt; y</code> <del>no</del><br/>next</p>",
  );
  expect(html("- a\n  1. b\n- [x] c")).toBe('<ul><li>a<ol start="1"><li>b</li></ol></li><li>☑ c</li></ul>');
  expect(html("3. a\n4. b")).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
  expect(html("```js\n<b>\n```")).toBe('<pre tabindex="0"><code>&lt;b&gt;</code></pre>');
  expect(html("|a|b|\n|-|-:|\n|1|**2**|")).toContain(
    '<tr><td>1</td><td style="text-align:right"><strong>2</strong></td></tr>',
  );
});

test("HTML stays text, and only web and email addresses become links", () => {
  expect(html('<img src=x onerror=alert(1)>\n\nA <b onclick="x">b</b> &lt;c')).toBe(
    '<p class="prose-plain">&lt;img src=x onerror=alert(1)&gt;</p>' +
      "<p>A &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt; &lt;c</p>",
  );
  expect(html("[a](javascript:alert(1)) [b](/runs) [c](data:text/html,x)")).toBe("<p>a b c</p>");
  expect(html("[a](https://x.test/)")).toBe(
    '<p><a href="https://x.test/" title="https://x.test/" target="_blank" rel="noopener noreferrer">a</a></p>',
  );
});

test("an image is a link: nothing is loaded from another host", () => {
  const shown = html("![cat](https://x.test/cat.png) ![bad](javascript:x)");
  expect(shown).toContain('<a href="https://x.test/cat.png"');
  expect(shown).not.toContain("<img");
  expect(shown).toContain("</a> bad</p>");
});

test("plain parts can be rendered by the caller, also within emphasis, but not within code", () => {
  const renderText = (part: string): string => part.replaceAll(/\[(\d)\]/g, "<$1>");
  const shown = renderToStaticMarkup(
    createElement(Markdown, { text: "**A [1]** and [2][3] `[4]`\n\n[1]: https://x.test", renderText }),
  );
  expect(shown).toContain("<strong>A &lt;1&gt;</strong> and &lt;2&gt;&lt;3&gt; <code>[4]</code>");
  // A definition does not turn the citation into a link.
  expect(shown).toContain("&lt;1&gt;: <a");
});

test("a text that is too long or nested too deeply is shown as it is written", () => {
  expect(html("**a** ".repeat(4000))).toMatch(/^<p class="prose-plain">\*\*a\*\* /);
  expect(html(">".repeat(15_000))).toMatch(/^<p class="prose-plain">&gt;&gt;/);
  expect(html(`${">".repeat(100)}a`)).toContain("&gt;a");
});
