import { shopify } from "../../apps/shopify.ts";
import type { AppExamples } from "./support/app-examples.ts";

const base = "/admin/api/2025-01";
const order = {
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
const customer = {
  id: 207119551,
  email: "bob.norman@mail.example.com",
  first_name: "Bob",
  last_name: "Norman",
  orders_count: 1,
};
const product = {
  id: 632910392,
  title: "IPod Nano - 8GB",
  status: "active",
  vendor: "Apple",
  variants: [{ id: 808950810, price: "199.00", sku: "IPOD2008PINK" }],
};
const pagesOf = (name: string, item: object): [object, object] => [
  {
    body: { [name]: [item] },
    headers: {
      link: `<https://acme.myshopify.com${base}/${name}.json?page_info=hijgklmn&limit=1>; rel="next"`,
    },
  },
  { body: { [name]: [{ ...item, id: 1 }] } },
];
const get = (path: string) => ({ request: { method: "GET", path: `${base}${path}` } });
const send = (method: string, path: string, body: object) => ({
  request: { method, path: `${base}${path}`, body: body as never },
});

export const shopifyExamples: AppExamples = {
  app: shopify,
  source: "https://shopify.dev/docs/api/admin-rest/latest/resources/order",
  fixture: null,
  fields: { shop: "acme" },
  test: {
    body: { shop: { id: 548380009, name: "John Smith Test Store" } },
    account: "John Smith Test Store",
  },
  actions: {
    get_order: {
      input: { order: "450789469" },
      answer: { body: { order } },
      ...get("/orders/450789469.json"),
    },
    list_orders: {
      input: { status: "open", financialStatus: "paid", createdAfter: "2008-01-01T00:00:00Z" },
      pages: pagesOf("orders", order),
      ...get(
        "/orders.json?status=open&financial_status=paid&created_at_min=2008-01-01T00%3A00%3A00Z&limit=100",
      ),
    },
    update_order: {
      input: { order: "450789469", note: "Called", tags: "vip" },
      answer: { body: { order } },
      ...send("PUT", "/orders/450789469.json", { order: { id: "450789469", note: "Called", tags: "vip" } }),
    },
    cancel_order: {
      input: { order: "450789469", reason: "customer", notify: true },
      answer: { body: { order: { ...order, financial_status: "voided" } } },
      ...send("POST", "/orders/450789469/cancel.json", { reason: "customer", email: true }),
    },
    create_customer: {
      input: {
        email: customer.email,
        firstName: "Bob",
        lastName: "Norman",
        phone: "+15558675310",
        tags: "vip",
      },
      answer: { status: 201, body: { customer } },
      ...send("POST", "/customers.json", {
        customer: {
          email: customer.email,
          first_name: "Bob",
          last_name: "Norman",
          phone: "+15558675310",
          tags: "vip",
        },
      }),
    },
    find_customers: {
      input: { email: customer.email },
      pages: pagesOf("customers", customer),
      ...get("/customers/search.json?query=email%3Abob.norman%40mail.example.com&limit=100"),
    },
    list_products: {
      input: { title: "IPod", status: "active" },
      pages: pagesOf("products", product),
      ...get("/products.json?title=IPod&status=active&limit=100"),
    },
    create_product: {
      input: {
        title: "IPod Nano - 8GB",
        description: "<p>A player</p>",
        vendor: "Apple",
        price: "199.00",
        sku: "IPOD2008PINK",
        status: "active",
      },
      answer: { status: 201, body: { product } },
      ...send("POST", "/products.json", {
        product: {
          title: "IPod Nano - 8GB",
          body_html: "<p>A player</p>",
          vendor: "Apple",
          status: "active",
          variants: [{ price: "199.00", sku: "IPOD2008PINK" }],
        },
      }),
    },
  },
  options: {
    products: {
      pages: pagesOf("products", { id: 632910392, title: "IPod Nano - 8GB" }),
      ...get("/products.json?fields=id%2Ctitle&limit=250"),
      first: { value: 632910392, label: "IPod Nano - 8GB" },
    },
  },
  triggers: {
    new_order: {
      kind: "polling",
      input: {},
      pages: pagesOf("orders", order),
      ...get("/orders.json?status=any&limit=50"),
    },
    new_customer: {
      kind: "polling",
      input: {},
      pages: pagesOf("customers", customer),
      ...get("/customers.json?limit=50"),
    },
  },
  errors: [
    { status: 404, body: { errors: "Not Found" }, says: "Shopify: The shop has nothing with this id." },
    {
      status: 422,
      body: { errors: { email: ["has already been taken"] } },
      says: 'Shopify: {"email":["has already been taken"]}',
    },
  ],
};
