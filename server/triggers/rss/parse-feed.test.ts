import { expect, test } from "vitest";
import { parseFeed } from "./parse-feed.ts";

const URL = "https://news.example/feeds/all.xml";

test("an RSS feed: items with link, author, date, categories, content and enclosure", async () => {
  const feed = await parseFeed(
    `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel>
      <title>News &amp; more</title><link>https://news.example/</link>
      <image><title>Logo</title><link>https://news.example/logo</link></image>
      <item><title><![CDATA[One <b>day</b>]]></title><link>/one</link><guid isPermaLink="false">id-1</guid>
        <dc:creator>Ada</dc:creator><pubDate>Mon, 02 Nov 2026 10:00:00 +0100</pubDate>
        <category>Space</category><category>Moon</category>
        <description>Short.</description><content:encoded><![CDATA[<p>Long.</p>]]></content:encoded>
        <enclosure url="/one.mp3" type="audio/mpeg" length="123"/></item>
    </channel></rss>`,
    URL,
  );
  expect(feed).toEqual({
    title: "News & more",
    link: "https://news.example/",
    items: [
      {
        id: "id-1",
        title: "One <b>day</b>",
        link: "https://news.example/one",
        author: "Ada",
        published: "2026-11-02T09:00:00.000Z",
        summary: "Short.",
        content: "<p>Long.</p>",
        categories: ["Space", "Moon"],
        enclosure: { url: "https://news.example/one.mp3", type: "audio/mpeg", length: 123 },
      },
    ],
  });
});

test("an Atom feed: links in attributes, the author's name, and markup inside of the content", async () => {
  const { title, items } = await parseFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link rel="self" href="/self"/><link href="https://b.example/"/>
      <entry><id>urn:1</id><title type="html">First</title><link rel="alternate" href="/first"/><link rel="enclosure" href="/a.pdf" type="application/pdf"/>
        <author><name>Bea</name></author><updated>2026-11-02T10:00:00Z</updated><category term="x"/>
        <content type="xhtml"><div><p>Hello <title>not a title</title></p></div></content></entry></feed>`,
    URL,
  );
  expect([title, items[0]]).toMatchObject([
    "Blog",
    {
      id: "urn:1",
      title: "First",
      link: "https://news.example/first",
      author: "Bea",
      published: "2026-11-02T10:00:00.000Z",
      content: "Hello not a title",
      categories: ["x"],
      enclosure: { url: "https://news.example/a.pdf", type: "application/pdf", length: null },
    },
  ]);
});

test("an RDF feed: the items are beside the channel", async () => {
  const { title, items } = await parseFeed(
    `<rdf:RDF xmlns:rdf="r"><channel rdf:about="x"><title>Old</title></channel>
      <item rdf:about="https://o.example/1"><title>One</title><link>https://o.example/1</link><dc:date>2026-01-01</dc:date></item></rdf:RDF>`,
    URL,
  );
  expect([title, items]).toMatchObject(["Old", [{ id: "https://o.example/1", title: "One" }]]);
});

test("entities of a document type are neither loaded nor expanded", async () => {
  const { items } = await parseFeed(
    `<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY a "boom"><!ENTITY b "&a;&a;&a;&a;">]>
     <rss><channel><item><title>&file;|&b;</title></item></channel></rss>`,
    URL,
  );
  expect(items[0]?.title).toBe("&file;|&b;");
});

test("a link that is not http, and an item without an id, still give an item", async () => {
  const { items } = await parseFeed(
    `<rss><channel><item><title>Odd</title><link>javascript:alert(1)</link></item></channel></rss>`,
    URL,
  );
  expect(items).toMatchObject([{ id: "Odd", link: "", published: null }]);
});

test("a page that is no feed is refused, and so is one that is nested without end", async () => {
  const refused = { code: "invalid_response" };
  await expect(parseFeed("<html><title>Login</title></html>", URL)).rejects.toMatchObject(refused);
  await expect(parseFeed("", URL)).rejects.toMatchObject(refused);
  await expect(parseFeed(`<rss>${"<a>".repeat(1000)}`, URL)).rejects.toMatchObject(refused);
});

test("items after the first 500 are left out", async () => {
  const many = `<rss><channel>${"<item><title>x</title></item>".repeat(600)}</channel></rss>`;
  expect((await parseFeed(many, URL)).items).toHaveLength(500);
});
