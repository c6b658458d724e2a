import type { AppField } from "../contract/apps.ts";
import type { AppValues } from "./define-app.ts";
import { defineApp } from "./define-app.ts";
import { googleAuth, googleErrors } from "./google-auth.ts";

const calendar: AppField = {
  type: "string",
  title: "Calendar",
  description: "Its id; primary is your own.",
  default: "primary",
  options: "calendars",
};
const event: AppField = {
  type: "string",
  title: "Event",
  description: "The id of an event.",
  required: true,
};
const times: Record<string, AppField> = {
  start: {
    type: "string",
    title: "Start",
    description: "A time, or a date for a whole day.",
    required: true,
    example: "2026-03-01T09:00:00+01:00",
  },
  end: {
    type: "string",
    title: "End",
    description: "A time, or the date after the last day.",
    required: true,
    example: "2026-03-01T10:00:00+01:00",
  },
};
const details: Record<string, AppField> = {
  description: { type: "string", title: "Description", format: "multiline" },
  location: { type: "string", title: "Location" },
  attendees: {
    type: "array",
    title: "Guests",
    description: "Their email addresses.",
    items: { type: "string" },
  },
  timeZone: { type: "string", title: "Time zone", example: "Europe/Berlin", advanced: true },
  notify: {
    type: "string",
    title: "Write to guests",
    enum: ["all", "externalOnly", "none"],
    default: "none",
    advanced: true,
  },
};
const eventSample = {
  id: "7cbh8rpc10lrc0ckih9tafss99",
  status: "confirmed",
  htmlLink: "https://www.google.com/calendar/event?eid=N2NiaDhycGMxMGxyYzBja2loOXRhZnNzOTk",
  summary: "Planning",
  start: { dateTime: "2026-03-01T09:00:00+01:00" },
  end: { dateTime: "2026-03-01T10:00:00+01:00" },
  created: "2026-02-20T08:00:00.000Z",
  updated: "2026-02-20T08:00:00.000Z",
};
const events = "/calendar/v3/calendars/{{input.calendar}}/events";
const list = { kind: "cursor", cursor: "{{body.nextPageToken}}", size: 250 } as const;

/** A date without a time is a whole day. */
function moment(value: unknown, timeZone: unknown) {
  const text = String(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? { date: text }
    : { dateTime: text, ...(timeZone !== undefined && { timeZone: String(timeZone) }) };
}

function prepareEvent({ input }: AppValues) {
  const { start, end, timeZone, attendees } = input;
  return {
    ...(start !== undefined && { start: moment(start, timeZone) }),
    ...(end !== undefined && { end: moment(end, timeZone) }),
    ...(Array.isArray(attendees) && { attendees: attendees.map((email) => ({ email })) }),
  };
}

const body = {
  summary: "{{input.summary}}",
  description: "{{input.description}}",
  location: "{{input.location}}",
  start: "{{prepared.start}}",
  end: "{{prepared.end}}",
  attendees: "{{prepared.attendees}}",
};

export const googleCalendar = defineApp({
  id: "google-calendar",
  title: "Google Calendar",
  description: "Create, change and find events.",
  category: "productivity",
  synonyms: ["event", "meeting", "appointment", "schedule", "invite"],
  icon: { letters: "Gc", color: "#4285f4" },
  documentation: "https://developers.google.com/workspace/calendar/api/v3/reference",
  baseUrl: "https://www.googleapis.com",
  hosts: ["www.googleapis.com"],
  auth: [googleAuth("https://www.googleapis.com/auth/calendar")],
  test: { request: { path: "/calendar/v3/calendars/primary" }, account: "{{body.id}}" },
  errors: googleErrors,
  options: {
    calendars: {
      title: "Calendars",
      request: {
        path: "/calendar/v3/users/me/calendarList",
        query: { maxResults: "{{pageSize}}", pageToken: "{{cursor}}" },
      },
      items: "{{body.items}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.summary}}",
    },
  },
  actions: {
    create_event: {
      title: "Create an event",
      description: "Adds an event to a calendar, with guests if you like.",
      synonyms: ["meeting", "invite", "book"],
      input: { calendar, summary: { type: "string", title: "Title", required: true }, ...times, ...details },
      prepare: prepareEvent,
      request: { method: "POST", path: events, query: { sendUpdates: "{{input.notify}}" }, body },
      sample: eventSample,
    },
    update_event: {
      title: "Change an event",
      description: "Changes the given parts of an event.",
      synonyms: ["move", "reschedule", "edit"],
      input: {
        calendar,
        event,
        summary: { type: "string", title: "Title" },
        start: { type: "string", title: "Start", description: "A time, or a date for a whole day." },
        end: { type: "string", title: "End", description: "A time, or the date after the last day." },
        ...details,
      },
      prepare: prepareEvent,
      request: {
        method: "PATCH",
        path: `${events}/{{input.event}}`,
        query: { sendUpdates: "{{input.notify}}" },
        body,
      },
      sample: eventSample,
    },
    get_event: {
      title: "Get an event",
      description: "Reads one event.",
      input: { calendar, event },
      request: { path: `${events}/{{input.event}}` },
      sample: eventSample,
    },
    list_events: {
      title: "List events",
      description: "Lists events in the order of their start.",
      synonyms: ["find", "search", "agenda"],
      input: {
        calendar,
        from: { type: "string", title: "From", format: "date-time" },
        to: { type: "string", title: "To", format: "date-time" },
        words: { type: "string", title: "Words", advanced: true },
      },
      request: {
        path: events,
        query: {
          timeMin: "{{input.from}}",
          timeMax: "{{input.to}}",
          q: "{{input.words}}",
          singleEvents: "true",
          orderBy: "startTime",
          maxResults: "{{pageSize}}",
          pageToken: "{{cursor}}",
        },
      },
      items: "{{body.items}}",
      paging: list,
      sample: [eventSample],
    },
    delete_event: {
      title: "Delete an event",
      description: "Deletes an event.",
      synonyms: ["cancel", "remove"],
      input: { calendar, event, notify: details["notify"] as AppField },
      request: {
        method: "DELETE",
        path: `${events}/{{input.event}}`,
        query: { sendUpdates: "{{input.notify}}" },
      },
      sample: null,
    },
    find_busy_times: {
      title: "Find busy times",
      description: "Tells when calendars are busy.",
      synonyms: ["free", "availability"],
      writes: false,
      input: {
        from: { type: "string", title: "From", format: "date-time", required: true },
        to: { type: "string", title: "To", format: "date-time", required: true },
        calendars: {
          type: "array",
          title: "Calendars",
          description: "Their ids.",
          items: { type: "string" },
          default: ["primary"],
        },
      },
      prepare: ({ input }) => ({
        items: (Array.isArray(input["calendars"]) ? input["calendars"] : ["primary"]).map((id) => ({ id })),
      }),
      request: {
        method: "POST",
        path: "/calendar/v3/freeBusy",
        body: { timeMin: "{{input.from}}", timeMax: "{{input.to}}", items: "{{prepared.items}}" },
      },
      output: { calendars: "{{body.calendars}}" },
      sample: {
        calendars: { primary: { busy: [{ start: "2026-03-01T09:00:00Z", end: "2026-03-01T10:00:00Z" }] } },
      },
    },
  },
  triggers: {
    new_event: {
      title: "New event",
      description: "Starts a run for each event that is added to a calendar.",
      synonyms: ["meeting", "booked", "created"],
      input: { calendar },
      polling: {
        request: {
          path: events,
          query: {
            updatedMin: "{{since}}",
            orderBy: "updated",
            singleEvents: "true",
            maxResults: "{{pageSize}}",
            pageToken: "{{cursor}}",
          },
        },
        items: "{{body.items}}",
        paging: list,
        key: "{{item.id}}",
        name: "{{item.summary}}",
        order: "oldest_first",
        since: "{{item.updated}}",
      },
      sample: eventSample,
    },
    changed_event: {
      title: "Changed event",
      description: "Starts a run each time an event is added, changed or cancelled.",
      synonyms: ["updated", "moved", "cancelled"],
      input: { calendar },
      polling: {
        request: {
          path: events,
          query: {
            updatedMin: "{{since}}",
            orderBy: "updated",
            singleEvents: "true",
            showDeleted: "true",
            maxResults: "{{pageSize}}",
            pageToken: "{{cursor}}",
          },
        },
        items: "{{body.items}}",
        paging: list,
        key: "{{item.id}}:{{item.updated}}",
        name: "{{item.summary}}",
        order: "oldest_first",
        since: "{{item.updated}}",
      },
      sample: eventSample,
    },
  },
});
