import { defineApp } from "./define-app.ts";

const customer = {
  type: "string",
  title: "Customer",
  description: "The id of a customer.",
  options: "customers",
  example: "cus_NffrFeUfNV2Hib",
} as const;
const amount = {
  type: "integer",
  title: "Amount",
  description: "In the smallest unit of the currency: 1099 is 10.99 euros.",
  minimum: 1,
  example: "1099",
} as const;
const currency = {
  type: "string",
  title: "Currency",
  description: "Three letters.",
  required: true,
  example: "eur",
  minLength: 3,
  maxLength: 3,
} as const;
const metadata = {
  type: "object",
  title: "Metadata",
  description: "Your own texts by name.",
  advanced: true,
} as const;
const email = { type: "string", title: "Email", format: "email", example: "ada@example.com" } as const;

const list = { kind: "cursor", cursor: "{{last.id}}", more: "{{body.has_more}}", size: 100 } as const;
const page = { limit: "{{pageSize}}", starting_after: "{{cursor}}" };

const customerSample = {
  id: "cus_NffrFeUfNV2Hib",
  object: "customer",
  name: "Jenny Rosen",
  email: "jennyrosen@example.com",
  created: 1680893993,
};
const intentSample = {
  id: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
  object: "payment_intent",
  amount: 2000,
  currency: "usd",
  status: "succeeded",
  created: 1680800504,
};
const refundSample = {
  id: "re_1Nispe2eZvKYlo2Cd31jOCgZ",
  object: "refund",
  amount: 1000,
  currency: "usd",
  status: "succeeded",
  created: 1692942318,
};
const invoiceSample = {
  id: "in_1MtHbELkdIwHu7ixl4OzzPMv",
  object: "invoice",
  customer: "cus_NeZwdNtLEOXuvB",
  status: "draft",
  total: 0,
  currency: "usd",
  created: 1680644467,
};

export const stripe = defineApp({
  id: "stripe",
  title: "Stripe",
  description: "Customers, payments, refunds, invoices and subscriptions.",
  category: "finance",
  synonyms: ["payment", "billing", "checkout", "subscription", "card"],
  icon: { letters: "St", color: "#635bff" },
  documentation: "https://docs.stripe.com/api",
  baseUrl: "https://api.stripe.com/v1",
  hosts: ["api.stripe.com"],
  auth: [
    {
      kind: "bearer",
      title: "Secret or restricted key",
      help: "Copy a key from https://dashboard.stripe.com/apikeys. A restricted key with only the rights that you need is safer.",
    },
  ],
  test: { request: { path: "/account" }, account: "{{body.id}}" },
  errors: {
    code: "{{body.error.code}}",
    message: "{{body.error.message}}",
    words: {
      charge_already_refunded: "The payment is refunded already.",
      card_declined: "The bank declined the card.",
      resource_missing: "Stripe knows no such object. A key of test mode sees only objects of test mode.",
      amount_too_large: "The amount is more than is left of the payment.",
    },
  },
  options: {
    customers: {
      title: "Customers",
      request: { path: "/customers", query: page },
      items: "{{body.data}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.name}} {{item.email}}",
    },
    prices: {
      title: "Prices",
      request: { path: "/prices", query: { ...page, active: "true", "expand[]": "data.product" } },
      items: "{{body.data}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.product.name}} · {{item.unit_amount}} {{item.currency}}",
    },
  },
  actions: {
    create_customer: {
      title: "Create a customer",
      description: "Adds a customer.",
      input: {
        email,
        name: { type: "string", title: "Name" },
        phone: { type: "string", title: "Phone", advanced: true },
        metadata,
      },
      request: {
        method: "POST",
        path: "/customers",
        form: {
          email: "{{input.email}}",
          name: "{{input.name}}",
          phone: "{{input.phone}}",
          metadata: "{{input.metadata}}",
        },
      },
      sample: customerSample,
    },
    find_customers: {
      title: "Find customers by email",
      description: "Lists the customers with an email address.",
      synonyms: ["search", "lookup"],
      input: { email: { ...email, required: true } },
      request: { path: "/customers", query: { ...page, email: "{{input.email}}" } },
      items: "{{body.data}}",
      paging: list,
      sample: [customerSample],
    },
    list_payments: {
      title: "List payments",
      description: "Lists payment intents, the newest first.",
      synonyms: ["charges"],
      input: { customer },
      request: { path: "/payment_intents", query: { ...page, customer: "{{input.customer}}" } },
      items: "{{body.data}}",
      paging: list,
      sample: [intentSample],
    },
    get_payment: {
      title: "Get a payment",
      description: "Reads one payment intent.",
      input: {
        payment: {
          type: "string",
          title: "Payment intent",
          required: true,
          example: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
        },
      },
      request: { path: "/payment_intents/{{input.payment}}" },
      sample: intentSample,
    },
    create_refund: {
      title: "Create a refund",
      description: "Pays a payment back, whole or in part.",
      synonyms: ["return money"],
      input: {
        payment: {
          type: "string",
          title: "Payment intent",
          required: true,
          example: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
        },
        amount: { ...amount, description: "In the smallest unit of the currency. All of it by default." },
        reason: {
          type: "string",
          title: "Reason",
          enum: ["duplicate", "fraudulent", "requested_by_customer"],
          advanced: true,
        },
        metadata,
      },
      request: {
        method: "POST",
        path: "/refunds",
        form: {
          payment_intent: "{{input.payment}}",
          amount: "{{input.amount}}",
          reason: "{{input.reason}}",
          metadata: "{{input.metadata}}",
        },
      },
      sample: refundSample,
    },
    create_payment_link: {
      title: "Create a payment link",
      description: "Makes an address where people pay for a price.",
      synonyms: ["checkout"],
      input: {
        price: {
          type: "string",
          title: "Price",
          required: true,
          options: "prices",
          example: "price_1MoBy5LkdIwHu7ixZhnattbh",
        },
        quantity: { type: "integer", title: "Quantity", default: 1, minimum: 1 },
        metadata,
      },
      request: {
        method: "POST",
        path: "/payment_links",
        form: {
          line_items: [{ price: "{{input.price}}", quantity: "{{input.quantity}}" }],
          metadata: "{{input.metadata}}",
        },
      },
      output: { id: "{{body.id}}", url: "{{body.url}}", active: "{{body.active}}" },
      sample: {
        id: "plink_1MoC3ULkdIwHu7ixZjtGpVl2",
        url: "https://buy.stripe.com/test_cN25nr0iZ7bUa7meUY",
        active: true,
      },
    },
    create_invoice: {
      title: "Create an invoice",
      description: "Makes a draft invoice for a customer.",
      synonyms: ["bill"],
      input: {
        customer: { ...customer, required: true },
        daysUntilDue: { type: "integer", title: "Days until due", default: 30, minimum: 0 },
        description: { type: "string", title: "Note", advanced: true },
        metadata,
      },
      request: {
        method: "POST",
        path: "/invoices",
        form: {
          customer: "{{input.customer}}",
          collection_method: "send_invoice",
          days_until_due: "{{input.daysUntilDue}}",
          description: "{{input.description}}",
          metadata: "{{input.metadata}}",
        },
      },
      sample: invoiceSample,
    },
    add_invoice_item: {
      title: "Add an item to an invoice",
      description: "Adds an amount to a draft invoice, or to the next invoice of a customer.",
      synonyms: ["line"],
      input: {
        customer: { ...customer, required: true },
        invoice: { type: "string", title: "Invoice", example: "in_1MtHbELkdIwHu7ixl4OzzPMv" },
        amount: { ...amount, required: true },
        currency,
        description: { type: "string", title: "Description" },
      },
      request: {
        method: "POST",
        path: "/invoiceitems",
        form: {
          customer: "{{input.customer}}",
          invoice: "{{input.invoice}}",
          amount: "{{input.amount}}",
          currency: "{{input.currency}}",
          description: "{{input.description}}",
        },
      },
      output: {
        id: "{{body.id}}",
        invoice: "{{body.invoice}}",
        amount: "{{body.amount}}",
        currency: "{{body.currency}}",
      },
      sample: {
        id: "ii_1MtGUtLkdIwHu7ixBYwjAM00",
        invoice: "in_1MtHbELkdIwHu7ixl4OzzPMv",
        amount: 1099,
        currency: "usd",
      },
    },
    list_subscriptions: {
      title: "List subscriptions",
      description: "Lists subscriptions, the newest first.",
      input: {
        customer,
        status: {
          type: "string",
          title: "Status",
          enum: ["active", "past_due", "canceled", "trialing", "unpaid", "all"],
        },
      },
      request: {
        path: "/subscriptions",
        query: { ...page, customer: "{{input.customer}}", status: "{{input.status}}" },
      },
      items: "{{body.data}}",
      paging: list,
      sample: [
        {
          id: "sub_1MowQVLkdIwHu7ixeRlqHVzs",
          object: "subscription",
          customer: "cus_Na6dX7aXxi11N4",
          status: "active",
          created: 1679609767,
        },
      ],
    },
  },
  triggers: {
    event: {
      title: "Event in Stripe",
      description:
        "Starts a run when something happens: a payment, a refund, a failed invoice, a new subscription.",
      synonyms: ["webhook", "payment", "subscription", "invoice"],
      input: {
        events: {
          type: "array",
          title: "Events",
          items: {
            type: "string",
            enum: [
              "payment_intent.succeeded",
              "payment_intent.payment_failed",
              "checkout.session.completed",
              "charge.refunded",
              "charge.dispute.created",
              "customer.created",
              "customer.subscription.created",
              "customer.subscription.updated",
              "customer.subscription.deleted",
              "invoice.paid",
              "invoice.payment_failed",
            ],
          },
          required: true,
          minItems: 1,
        },
      },
      webhook: {
        subscribe: {
          method: "POST",
          path: "/webhook_endpoints",
          form: { url: "{{webhook.url}}", enabled_events: "{{input.events}}" },
        },
        id: "{{body.id}}",
        secret: "{{body.secret}}",
        unsubscribe: { method: "DELETE", path: "/webhook_endpoints/{{subscription.id}}" },
        list: {
          request: { path: "/webhook_endpoints", query: { limit: "100" } },
          items: "{{body.data}}",
          url: "{{item.url}}",
          id: "{{item.id}}",
        },
        scheme: "stripe",
        output: {
          id: "{{body.id}}",
          type: "{{body.type}}",
          object: "{{body.data.object}}",
          created: "{{body.created}}",
        },
      },
      sample: {
        id: "evt_1NG8Du2eZvKYlo2CUI79vXWy",
        type: "payment_intent.succeeded",
        object: intentSample,
        created: 1686089970,
      },
    },
  },
});
