export const CONNECTION_ID = /^conn_[0-9a-z]{1,60}$/;
