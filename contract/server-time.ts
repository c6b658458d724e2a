/** A header of the event stream of a task: the time of the service in milliseconds. */
export const SERVER_TIME_HEADER = "x-server-time";
