import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const order: AppField = {
  type: "string",
  title: "Order",
  description: "The id of an order.",
  required: true,
  example: "450789469",
};
const email: AppField = {
  type: "string",
  title: "Email",
  format: "email",
  required: true,
  example: "ada@example.com",
};
const tags: AppField = { type: "string", title: "Tags", description: "Separated by commas.", advanced: true };
const list = { kind: "link", size: 250 } as const;

const orderSample = {
  id: 450789469,
  name: "#1001",
  email: "bob.norman@mail.example.com",
  created_at: "2008-01-10T11:00:00-05:00",
  financial_status: "partially_refunded",
  fulfillment_status: null,
  total_price: "598.94",
  currency: "USD",
  line_items: [{ id: 466157049, title: "IPod Nano - 8gb", quantity: 1, price: "199.00" }],
};
const customerSample = {
  id: 207119551,
  email: "bob.norman@mail.example.com",
  first_name: "Bob",
  last_name: "Norman",
  orders_count: 1,
};
const productSample = {
  id: 632910392,
  title: "IPod Nano - 8GB",
  status: "active",
  vendor: "Apple",
  variants: [{ id: 808950810, price: "199.00", sku: "IPOD2008PINK" }],
};

export const shopify = defineApp({
  id: "shopify",
  title: "Shopify",
  description: "Orders, customers and products of your shop.",
  category: "sales",
  synonyms: ["shop", "store", "order", "ecommerce", "product"],
  icon: { letters: "Sh", color: "#5e8e3e" },
  documentation: "https://shopify.dev/docs/api/admin-rest",
  baseUrl: "https://{{connection.shop}}.myshopify.com/admin/api/2025-01",
  hosts: ["{{connection.shop}}.myshopify.com"],
  fields: {
    shop: {
      type: "string",
      title: "Shop",
      description: "The first part of its address: acme of acme.myshopify.com.",
      required: true,
      example: "acme",
    },
  },
  auth: [
    {
      kind: "api_key",
      title: "Admin API access token",
      in: "header",
      name: "x-shopify-access-token",
      help: "In the shop's admin: Settings → Apps and sales channels → Develop apps. Create an app with the scopes you need and install it.",
    },
  ],
  test: { request: { path: "/shop.json" }, account: "{{body.shop.name}}" },
  errors: {
    message: "{{body.errors}}",
    words: {
      "404": "The shop has nothing with this id.",
      "402": "The shop is frozen: its owner must pay the bill.",
    },
  },
  options: {
    products: {
      title: "Products",
      request: { path: "/products.json", query: { fields: "id,title", limit: "{{pageSize}}" } },
      items: "{{body.products}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.title}}",
    },
  },
  actions: {
    get_order: {
      title: "Get an order",
      description: "Reads one order with its lines.",
      input: { order },
      request: { path: "/orders/{{input.order}}.json" },
      output: "{{body.order}}",
      sample: orderSample,
    },
    list_orders: {
      title: "List orders",
      description: "Lists orders, the newest first.",
      synonyms: ["search", "find"],
      input: {
        status: {
          type: "string",
          title: "Status",
          enum: ["open", "closed", "cancelled", "any"],
          default: "any",
        },
        financialStatus: {
          type: "string",
          title: "Payment",
          enum: ["authorized", "pending", "paid", "refunded", "voided", "unpaid"],
          advanced: true,
        },
        createdAfter: { type: "string", title: "Created after", format: "date-time", advanced: true },
      },
      request: {
        path: "/orders.json",
        query: {
          status: "{{input.status}}",
          financial_status: "{{input.financialStatus}}",
          created_at_min: "{{input.createdAfter}}",
          limit: "{{pageSize}}",
        },
      },
      items: "{{body.orders}}",
      paging: list,
      sample: [orderSample],
    },
    update_order: {
      title: "Change an order",
      description: "Changes the note or the tags of an order.",
      synonyms: ["tag", "note"],
      input: { order, note: { type: "string", title: "Note", format: "multiline" }, tags },
      request: {
        method: "PUT",
        path: "/orders/{{input.order}}.json",
        body: { order: { id: "{{input.order}}", note: "{{input.note}}", tags: "{{input.tags}}" } },
      },
      output: "{{body.order}}",
      sample: orderSample,
    },
    cancel_order: {
      title: "Cancel an order",
      description: "Cancels an order that is not fulfilled.",
      input: {
        order,
        reason: {
          type: "string",
          title: "Reason",
          enum: ["customer", "inventory", "fraud", "declined", "other"],
          advanced: true,
        },
        notify: { type: "boolean", title: "Write to the customer", advanced: true },
      },
      request: {
        method: "POST",
        path: "/orders/{{input.order}}/cancel.json",
        body: { reason: "{{input.reason}}", email: "{{input.notify}}" },
      },
      output: "{{body.order}}",
      sample: { ...orderSample, financial_status: "voided" },
    },
    create_customer: {
      title: "Create a customer",
      description: "Adds a customer.",
      input: {
        email,
        firstName: { type: "string", title: "First name" },
        lastName: { type: "string", title: "Last name" },
        phone: { type: "string", title: "Phone", advanced: true },
        tags,
      },
      request: {
        method: "POST",
        path: "/customers.json",
        body: {
          customer: {
            email: "{{input.email}}",
            first_name: "{{input.firstName}}",
            last_name: "{{input.lastName}}",
            phone: "{{input.phone}}",
            tags: "{{input.tags}}",
          },
        },
      },
      output: "{{body.customer}}",
      sample: customerSample,
    },
    find_customers: {
      title: "Find customers",
      description: "Finds customers by their email address.",
      synonyms: ["search", "lookup"],
      input: { email },
      request: {
        path: "/customers/search.json",
        query: { query: "email:{{input.email}}", limit: "{{pageSize}}" },
      },
      items: "{{body.customers}}",
      paging: list,
      sample: [customerSample],
    },
    list_products: {
      title: "List products",
      description: "Lists the products of the shop.",
      input: {
        title: { type: "string", title: "Title" },
        status: { type: "string", title: "Status", enum: ["active", "archived", "draft"], advanced: true },
      },
      request: {
        path: "/products.json",
        query: { title: "{{input.title}}", status: "{{input.status}}", limit: "{{pageSize}}" },
      },
      items: "{{body.products}}",
      paging: list,
      sample: [productSample],
    },
    create_product: {
      title: "Create a product",
      description: "Adds a product with one price.",
      input: {
        title: { type: "string", title: "Title", required: true },
        description: { type: "string", title: "Description", description: "HTML.", format: "multiline" },
        vendor: { type: "string", title: "Vendor", advanced: true },
        price: { type: "string", title: "Price", example: "19.99" },
        sku: { type: "string", title: "SKU", advanced: true },
        status: { type: "string", title: "Status", enum: ["active", "draft"], default: "draft" },
      },
      request: {
        method: "POST",
        path: "/products.json",
        body: {
          product: {
            title: "{{input.title}}",
            body_html: "{{input.description}}",
            vendor: "{{input.vendor}}",
            status: "{{input.status}}",
            variants: [{ price: "{{input.price}}", sku: "{{input.sku}}" }],
          },
        },
      },
      output: "{{body.product}}",
      sample: productSample,
    },
  },
  triggers: {
    new_order: {
      title: "New order",
      description: "Starts a run for each new order.",
      synonyms: ["sale", "purchase"],
      input: {},
      polling: {
        request: {
          path: "/orders.json",
          query: { status: "any", created_at_min: "{{since}}", limit: "{{pageSize}}" },
        },
        items: "{{body.orders}}",
        paging: { kind: "link", size: 50 },
        key: "{{item.id}}",
        name: "{{item.name}}",
        order: "newest_first",
        since: "{{item.created_at}}",
      },
      sample: orderSample,
    },
    new_customer: {
      title: "New customer",
      description: "Starts a run for each new customer.",
      input: {},
      polling: {
        request: { path: "/customers.json", query: { created_at_min: "{{since}}", limit: "{{pageSize}}" } },
        items: "{{body.customers}}",
        paging: { kind: "link", size: 50 },
        key: "{{item.id}}",
        name: "{{item.email}}",
        order: "newest_first",
        since: "{{item.created_at}}",
      },
      sample: customerSample,
    },
  },
});
