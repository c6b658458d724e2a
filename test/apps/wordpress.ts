import { wordpress } from "../../apps/wordpress.ts";
import fixture from "./fixtures/wordpress.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const post = {
  id: 4,
  link: "http://example.org/?p=4",
  title: { rendered: "REST API Client Fixture: Post" },
  content: { rendered: "<p>REST API Client Fixture: Post</p>\n", protected: false },
  status: "publish",
  date: "2017-02-14T00:00:00",
};
const comment = {
  id: 2,
  post: 4,
  author_name: "Internet of something or other",
  content: { rendered: "<p>REST API Client Fixture: Comment</p>\n" },
  link: "http://example.org/?p=4#comment-2",
  date: "2017-02-14T00:00:00",
};
const details = {
  title: "REST API Client Fixture: Post",
  content: "<p>REST API Client Fixture: Post</p>",
  excerpt: "A fixture",
  slug: "fixture",
  status: "publish",
  date: "2017-02-14T00:00:00Z",
  categories: [1],
  tags: [2],
  featuredMedia: 8,
};
const pagesOf = (route: string, item: object): [object, object] => [
  { body: [item], headers: { link: `<https://blog.example.com/wp-json/wp/v2/${route}?page=2>; rel="next"` } },
  {
    body: [{ ...item, id: 99 }],
    headers: { link: `<https://blog.example.com/wp-json/wp/v2/${route}?page=1>; rel="prev"` },
  },
];

export const wordpressExamples: AppExamples = {
  app: wordpress,
  source:
    "https://github.com/WordPress/wordpress-develop/blob/trunk/tests/qunit/fixtures/wp-api-generated.js",
  fixture,
  fields: { site: "blog.example.com" },
  test: { body: { id: 1, name: "admin", slug: "admin" }, account: "admin" },
  actions: {
    create_post: { input: details, answer: { status: 201, body: post } },
    update_post: { input: { id: 4, ...details }, answer: { body: post } },
    get_post: { input: { id: 4 }, answer: { body: post } },
    list_posts: {
      input: { search: "fixture", status: "publish", after: "2017-01-01T00:00:00Z" },
      pages: pagesOf("posts", post),
    },
    delete_post: { input: { id: 4 }, answer: { body: { ...post, status: "trash" } } },
    create_page: {
      input: {
        title: "REST API Client Fixture: Page",
        content: "<p>A page</p>",
        status: "publish",
        parent: 3,
      },
      answer: {
        status: 201,
        body: {
          ...post,
          link: "http://example.org/?page_id=7",
          title: { rendered: "REST API Client Fixture: Page" },
        },
      },
    },
    upload_media: {
      input: {
        file: { file: `file_${"0".repeat(29)}`, name: "photo.jpg", contentType: "image/jpeg", size: 4 },
        title: "Photo",
        altText: "A photo",
      },
      answer: {
        status: 201,
        body: {
          id: 8,
          source_url: "http://example.org/wp-content/uploads/photo.jpg",
          mime_type: "image/jpeg",
        },
      },
      request: {
        method: "POST",
        path: "/wp-json/wp/v2/media",
        body: { file: "text", title: "Photo", alt_text: "A photo" },
      },
    },
  },
  options: {
    categories: {
      pages: pagesOf("categories", { id: 1, name: "Uncategorized" }),
      first: { value: 1, label: "Uncategorized" },
    },
  },
  triggers: {
    new_post: { kind: "polling", input: {}, pages: pagesOf("posts", post) },
    new_comment: { kind: "polling", input: {}, pages: pagesOf("comments", comment) },
  },
  errors: [
    {
      status: 404,
      body: { code: "rest_post_invalid_id", message: "Invalid post ID.", data: { status: 404 } },
      says: "WordPress: The site has no post with this id.",
    },
    {
      status: 400,
      body: { code: "rest_invalid_param", message: "Invalid parameter(s): status", data: { status: 400 } },
      says: "WordPress: Invalid parameter(s): status",
    },
  ],
};
