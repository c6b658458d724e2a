/** `application/json`, and types such as `application/cloudevents+json`. */
export const JSON_MEDIA_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
