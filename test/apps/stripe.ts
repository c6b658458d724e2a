import { stripe } from "../../apps/stripe.ts";
import fixture from "./fixtures/stripe.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const customer = {
  id: "cus_NffrFeUfNV2Hib",
  object: "customer",
  name: "Jenny Rosen",
  email: "jennyrosen@example.com",
  created: 1680893993,
};
const intent = {
  id: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
  object: "payment_intent",
  amount: 2000,
  currency: "usd",
  status: "succeeded",
  created: 1680800504,
};
const subscription = {
  id: "sub_1MowQVLkdIwHu7ixeRlqHVzs",
  object: "subscription",
  customer: "cus_Na6dX7aXxi11N4",
  status: "active",
  created: 1679609767,
};
const price = {
  id: "price_1MoBy5LkdIwHu7ixZhnattbh",
  currency: "usd",
  unit_amount: 1000,
  product: { name: "Gold Plan" },
};
const metadata = { order: "10482" };
const listOf = (item: { id: string }): [object, object] => [
  { body: { object: "list", data: [item], has_more: true } },
  { body: { object: "list", data: [{ ...item, id: `${item.id}2` }], has_more: false } },
];

export const stripeExamples: AppExamples = {
  app: stripe,
  source: "https://docs.stripe.com/api",
  fixture,
  test: { body: { id: "acct_1Nv0FGQ9RKHgCVdK", object: "account" }, account: "acct_1Nv0FGQ9RKHgCVdK" },
  actions: {
    create_customer: {
      input: { email: "jennyrosen@example.com", name: "Jenny Rosen", phone: "+15558675310", metadata },
      answer: { body: customer },
    },
    find_customers: { input: { email: "jennyrosen@example.com" }, pages: listOf(customer) },
    list_payments: { input: { customer: customer.id }, pages: listOf(intent) },
    get_payment: { input: { payment: intent.id }, answer: { body: intent } },
    create_refund: {
      input: { payment: intent.id, amount: 1000, reason: "requested_by_customer", metadata },
      answer: {
        body: {
          id: "re_1Nispe2eZvKYlo2Cd31jOCgZ",
          object: "refund",
          amount: 1000,
          currency: "usd",
          status: "succeeded",
          created: 1692942318,
        },
      },
    },
    create_payment_link: {
      input: { price: price.id, quantity: 2, metadata },
      answer: {
        body: {
          id: "plink_1MoC3ULkdIwHu7ixZjtGpVl2",
          url: "https://buy.stripe.com/test_cN25nr0iZ7bUa7meUY",
          active: true,
        },
      },
    },
    create_invoice: {
      input: { customer: "cus_NeZwdNtLEOXuvB", daysUntilDue: 14, description: "Thank you", metadata },
      answer: {
        body: {
          id: "in_1MtHbELkdIwHu7ixl4OzzPMv",
          object: "invoice",
          customer: "cus_NeZwdNtLEOXuvB",
          status: "draft",
          total: 0,
          currency: "usd",
          created: 1680644467,
        },
      },
    },
    add_invoice_item: {
      input: {
        customer: customer.id,
        invoice: "in_1MtHbELkdIwHu7ixl4OzzPMv",
        amount: 1099,
        currency: "usd",
        description: "Tea",
      },
      answer: {
        body: {
          id: "ii_1MtGUtLkdIwHu7ixBYwjAM00",
          invoice: "in_1MtHbELkdIwHu7ixl4OzzPMv",
          amount: 1099,
          currency: "usd",
        },
      },
    },
    list_subscriptions: {
      input: { customer: "cus_Na6dX7aXxi11N4", status: "active" },
      pages: listOf(subscription),
    },
  },
  options: {
    customers: {
      pages: listOf(customer),
      first: { value: customer.id, label: "Jenny Rosen jennyrosen@example.com" },
    },
    prices: { pages: listOf(price), first: { value: price.id, label: "Gold Plan · 1000 usd" } },
  },
  triggers: {
    event: {
      kind: "webhook",
      input: { events: ["payment_intent.succeeded"] },
      subscribed: {
        body: {
          id: "we_1Mr5jULkdIwHu7ix1ibLTM0x",
          object: "webhook_endpoint",
          secret: "whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z",
        },
        id: "we_1Mr5jULkdIwHu7ix1ibLTM0x",
      },
      delivery: {
        headers: {},
        body: {
          id: "evt_1NG8Du2eZvKYlo2CUI79vXWy",
          object: "event",
          type: "payment_intent.succeeded",
          created: 1686089970,
          data: { object: intent },
        },
      },
    },
  },
  errors: [
    {
      status: 400,
      body: {
        error: {
          code: "charge_already_refunded",
          message: "Charge ch_1 has already been refunded.",
          type: "invalid_request_error",
        },
      },
      says: "Stripe: The payment is refunded already.",
    },
    {
      status: 400,
      body: {
        error: {
          code: "parameter_missing",
          message: "Missing required param: amount.",
          type: "invalid_request_error",
        },
      },
      says: "Stripe: Missing required param: amount.",
    },
  ],
};
