import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const id: AppField = {
  type: "integer",
  title: "Post",
  description: "The id of a post.",
  required: true,
  example: "42",
};
const status: AppField = {
  type: "string",
  title: "Status",
  enum: ["publish", "draft", "pending", "private", "future"],
  default: "draft",
};
const details: Record<string, AppField> = {
  content: { type: "string", title: "Content", description: "HTML.", format: "multiline" },
  excerpt: { type: "string", title: "Excerpt", format: "multiline", advanced: true },
  slug: { type: "string", title: "Slug", description: "The end of its address.", advanced: true },
  date: {
    type: "string",
    title: "Date",
    description: "With the status future, when it appears.",
    format: "date-time",
    advanced: true,
  },
  categories: {
    type: "array",
    title: "Categories",
    description: "Their ids.",
    items: { type: "integer" },
    advanced: true,
  },
  tags: {
    type: "array",
    title: "Tags",
    description: "Their ids.",
    items: { type: "integer" },
    advanced: true,
  },
  featuredMedia: {
    type: "integer",
    title: "Featured picture",
    description: "The id of an uploaded file.",
    advanced: true,
  },
};
const changes = {
  title: "{{input.title}}",
  content: "{{input.content}}",
  excerpt: "{{input.excerpt}}",
  slug: "{{input.slug}}",
  status: "{{input.status}}",
  date: "{{input.date}}",
  categories: "{{input.categories}}",
  tags: "{{input.tags}}",
  featured_media: "{{input.featuredMedia}}",
};
const post = {
  id: "{{body.id}}",
  url: "{{body.link}}",
  title: "{{body.title.rendered}}",
  content: "{{body.content.rendered}}",
  status: "{{body.status}}",
  date: "{{body.date}}",
};
const postItem = {
  id: "{{item.id}}",
  url: "{{item.link}}",
  title: "{{item.title.rendered}}",
  content: "{{item.content.rendered}}",
  status: "{{item.status}}",
  date: "{{item.date}}",
};
const postSample = {
  id: 4,
  url: "http://example.org/?p=4",
  title: "REST API Client Fixture: Post",
  content: "<p>REST API Client Fixture: Post</p>\n",
  status: "publish",
  date: "2017-02-14T00:00:00",
};
const list = { kind: "link", size: 100 } as const;

export const wordpress = defineApp({
  id: "wordpress",
  title: "WordPress",
  description: "Write posts and pages, upload media and read comments of your site.",
  category: "marketing",
  synonyms: ["blog", "cms", "post", "publish", "website"],
  icon: { letters: "Wp", color: "#21759b" },
  documentation: "https://developer.wordpress.org/rest-api/reference/",
  baseUrl: "https://{{connection.site}}/wp-json/wp/v2",
  hosts: ["{{connection.site}}"],
  fields: {
    site: {
      type: "string",
      title: "Site",
      description: "The address without https://.",
      required: true,
      example: "blog.example.com",
    },
  },
  auth: [
    {
      kind: "basic",
      username: "User name",
      password: "Application password",
      help: "Create an application password under Users → Profile.",
    },
  ],
  test: { request: { path: "/users/me" }, account: "{{body.name}}" },
  errors: {
    code: "{{body.code}}",
    message: "{{body.message}}",
    words: {
      rest_post_invalid_id: "The site has no post with this id.",
      rest_cannot_create: "The user may not write posts on this site.",
      rest_forbidden: "The user has no permission for this.",
      rest_no_route: "The site has no REST API at this address, or an old version of WordPress.",
    },
  },
  options: {
    categories: {
      title: "Categories",
      request: { path: "/categories", query: { search: "{{search}}", per_page: "{{pageSize}}" } },
      search: true,
      items: "{{body}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    create_post: {
      title: "Create a post",
      description: "Adds a post, as a draft or published.",
      synonyms: ["publish", "write", "blog"],
      input: { title: { type: "string", title: "Title", required: true }, ...details, status },
      request: { method: "POST", path: "/posts", body: changes },
      output: post,
      sample: postSample,
    },
    update_post: {
      title: "Change a post",
      description: "Changes the given parts of a post.",
      synonyms: ["edit", "publish"],
      input: {
        id,
        title: { type: "string", title: "Title" },
        ...details,
        status: {
          type: "string",
          title: "Status",
          enum: ["publish", "draft", "pending", "private", "future"],
        },
      },
      request: { method: "POST", path: "/posts/{{input.id}}", body: changes },
      output: post,
      sample: postSample,
    },
    get_post: {
      title: "Get a post",
      description: "Reads one post.",
      input: { id },
      request: { path: "/posts/{{input.id}}" },
      output: post,
      sample: postSample,
    },
    list_posts: {
      title: "List posts",
      description: "Lists posts, the newest first.",
      synonyms: ["find", "search"],
      input: {
        search: { type: "string", title: "Words" },
        status: {
          type: "string",
          title: "Status",
          enum: ["publish", "draft", "pending", "private", "future", "any"],
          advanced: true,
        },
        after: { type: "string", title: "Published after", format: "date-time", advanced: true },
      },
      request: {
        path: "/posts",
        query: {
          search: "{{input.search}}",
          status: "{{input.status}}",
          after: "{{input.after}}",
          per_page: "{{pageSize}}",
        },
      },
      items: "{{body}}",
      paging: list,
      output: postItem,
      sample: [postSample],
    },
    delete_post: {
      title: "Delete a post",
      description: "Moves a post to the trash.",
      synonyms: ["remove"],
      input: { id },
      request: { method: "DELETE", path: "/posts/{{input.id}}" },
      output: post,
      sample: { ...postSample, status: "trash" },
    },
    create_page: {
      title: "Create a page",
      description: "Adds a page to the site.",
      input: {
        title: { type: "string", title: "Title", required: true },
        content: { type: "string", title: "Content", description: "HTML.", format: "multiline" },
        status,
        parent: { type: "integer", title: "Below page", description: "Its id.", advanced: true },
      },
      request: {
        method: "POST",
        path: "/pages",
        body: {
          title: "{{input.title}}",
          content: "{{input.content}}",
          status: "{{input.status}}",
          parent: "{{input.parent}}",
        },
      },
      output: post,
      sample: { ...postSample, url: "http://example.org/?page_id=7", title: "REST API Client Fixture: Page" },
    },
    upload_media: {
      title: "Upload a file",
      description: "Adds a picture or document to the media library.",
      synonyms: ["image", "media", "attachment"],
      input: {
        file: { type: "object", title: "File", format: "file", required: true },
        title: { type: "string", title: "Title" },
        altText: { type: "string", title: "Alternative text", advanced: true },
      },
      request: {
        method: "POST",
        path: "/media",
        multipart: { file: "{{input.file}}", title: "{{input.title}}", alt_text: "{{input.altText}}" },
      },
      output: { id: "{{body.id}}", url: "{{body.source_url}}", contentType: "{{body.mime_type}}" },
      sample: { id: 8, url: "http://example.org/wp-content/uploads/photo.jpg", contentType: "image/jpeg" },
    },
  },
  triggers: {
    new_post: {
      title: "New post",
      description: "Starts a run for each post that is published.",
      synonyms: ["published", "blog"],
      input: {},
      polling: {
        request: { path: "/posts", query: { orderby: "date", order: "desc", per_page: "{{pageSize}}" } },
        items: "{{body}}",
        paging: { kind: "link", size: 50 },
        key: "{{item.id}}",
        name: "{{item.title.rendered}}",
        order: "newest_first",
        output: postItem,
      },
      sample: postSample,
    },
    new_comment: {
      title: "New comment",
      description: "Starts a run for each comment on the site.",
      synonyms: ["reply"],
      input: {},
      polling: {
        request: {
          path: "/comments",
          query: { orderby: "date_gmt", order: "desc", per_page: "{{pageSize}}" },
        },
        items: "{{body}}",
        paging: { kind: "link", size: 50 },
        key: "{{item.id}}",
        name: "{{item.author_name}}",
        order: "newest_first",
        output: {
          id: "{{item.id}}",
          post: "{{item.post}}",
          author: "{{item.author_name}}",
          content: "{{item.content.rendered}}",
          url: "{{item.link}}",
          date: "{{item.date}}",
        },
      },
      sample: {
        id: 2,
        post: 4,
        author: "Internet of something or other",
        content: "<p>REST API Client Fixture: Comment</p>\n",
        url: "http://example.org/?p=4#comment-2",
        date: "2017-02-14T00:00:00",
      },
    },
  },
});
