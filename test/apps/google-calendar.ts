import { googleCalendar } from "../../apps/google-calendar.ts";
import fixture from "./fixtures/google-calendar.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const event = {
  id: "7cbh8rpc10lrc0ckih9tafss99",
  status: "confirmed",
  htmlLink: "https://www.google.com/calendar/event?eid=N2NiaDhycGMxMGxyYzBja2loOXRhZnNzOTk",
  summary: "Planning",
  start: { dateTime: "2026-03-01T09:00:00+01:00" },
  end: { dateTime: "2026-03-01T10:00:00+01:00" },
  created: "2026-02-20T08:00:00.000Z",
  updated: "2026-02-20T08:00:00.000Z",
};
const details = {
  summary: "Planning",
  start: "2026-03-01T09:00:00+01:00",
  end: "2026-03-01T10:00:00+01:00",
  description: "The plan",
  location: "Room 1",
  attendees: ["grace@example.com"],
  timeZone: "Europe/Berlin",
  notify: "all",
};
const pages: [object, object] = [
  { body: { items: [event], nextPageToken: "CigKGmY2" } },
  { body: { items: [{ ...event, id: "8dci9sqd21msd1dlji0ubgttaa" }] } },
];

export const googleCalendarExamples: AppExamples = {
  app: googleCalendar,
  source: "https://developers.google.com/workspace/calendar/api/v3/reference/events",
  fixture,
  test: {
    body: { kind: "calendar#calendar", id: "ada@example.com", summary: "ada@example.com" },
    account: "ada@example.com",
  },
  actions: {
    create_event: { input: { calendar: "primary", ...details }, answer: { body: event } },
    update_event: {
      input: { event: event.id, ...details, start: "2026-03-01", end: "2026-03-02" },
      answer: { body: event },
    },
    get_event: { input: { event: event.id }, answer: { body: event } },
    list_events: {
      input: { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z", words: "plan" },
      pages,
    },
    delete_event: { input: { event: event.id, notify: "all" }, answer: { status: 204 } },
    find_busy_times: {
      input: { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z", calendars: ["primary"] },
      answer: {
        body: {
          calendars: { primary: { busy: [{ start: "2026-03-01T09:00:00Z", end: "2026-03-01T10:00:00Z" }] } },
        },
      },
    },
  },
  options: {
    calendars: {
      pages: [
        { body: { items: [{ id: "ada@example.com", summary: "Ada" }], nextPageToken: "EiQKGmY2" } },
        { body: { items: [] } },
      ],
      first: { value: "ada@example.com", label: "Ada" },
    },
  },
  triggers: {
    new_event: { kind: "polling", input: {}, pages },
    changed_event: { kind: "polling", input: {}, pages },
  },
  errors: [
    {
      status: 404,
      body: { error: { code: 404, message: "Not Found", errors: [{ reason: "notFound" }] } },
      says: "Google Calendar: Google found nothing there, or the account has no access to it.",
    },
    {
      status: 400,
      body: { error: { code: 400, message: "The specified time range is empty." } },
      says: "Google Calendar: The specified time range is empty.",
    },
  ],
};
