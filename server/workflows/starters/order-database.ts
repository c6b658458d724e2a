import type { Starter } from "./starter.ts";

export const orderDatabase: Starter = {
  id: "order-database",
  name: "Orders in a database",
  description:
    "Stores orders in a table, each number once, and adds them up by customer. A database connection with the URL sqlite:data/orders.db needs no server: the first run creates the file. Without orders it uses a small example.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        orders: {
          type: "array",
          title: "Orders",
          description: "With number, customer and total",
          items: {
            type: "object",
            properties: {
              number: { type: "string" },
              customer: { type: "string" },
              total: { type: "number" },
            },
          },
        },
      },
    },
    steps: [
      {
        stepId: "orders",
        type: "transform",
        name: "Take the orders",
        expression:
          'input.orders ? input.orders : [{"number": "A-1", "customer": "Ada", "total": 20}, {"number": "A-2", "customer": "Ben", "total": 12}, {"number": "A-3", "customer": "Ada", "total": 18}]',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "table",
        type: "sql",
        name: "Create the table",
        connection: "conn_orders",
        query:
          "create table if not exists shop_order (number varchar(100) primary key, customer varchar(200) not null, total numeric not null)",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "each",
        type: "foreach",
        name: "Each order",
        items: "{{steps.orders.output}}",
        steps: [
          {
            stepId: "store",
            type: "sql",
            name: "Store the order once",
            connection: "conn_orders",
            // For SQLite and PostgreSQL. It may be repeated after a crash.
            query:
              "insert into shop_order (number, customer, total) values (:number, :customer, :total) on conflict (number) do nothing",
            parameters: {
              number: "{{item.number}}",
              customer: "{{item.customer}}",
              total: "{{item.total}}",
            },
            maxRetries: 2,
            position: { x: 0, y: 0 },
          },
        ],
        edges: [],
        position: { x: 0, y: 280 },
      },
      {
        stepId: "sums",
        type: "sql",
        name: "Add up by customer",
        connection: "conn_orders",
        query:
          "select customer, count(*) as orders, sum(total) as total from shop_order group by customer order by total desc",
        maxRetries: 2,
        position: { x: 0, y: 420 },
      },
    ],
    edges: [
      { id: "orders-table", source: "orders", target: "table" },
      { id: "table-each", source: "table", target: "each" },
      { id: "each-sums", source: "each", target: "sums" },
    ],
  },
};
