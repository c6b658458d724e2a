# syntax=docker/dockerfile:1

# Bundles the service and the page. Only dist/ of this stage is copied to the image.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
RUN npm ci --omit=dev --loglevel=error
COPY . .
RUN node scripts/build.mjs && node scripts/build-web.mjs

# Production packages for this platform only.
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY scripts/prune.mjs scripts/
RUN npm ci --omit=dev --workspaces=false --loglevel=error \
  && node -e 'import("/app/scripts/prune.mjs").then(({ pruneAll }) => pruneAll("/app/node_modules"))'

FROM node:24.21.0-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY bin ./bin
COPY package.json LICENSE ./
# Starts once to store the code cache next to the bundle, which the user below cannot write.
RUN HOST=127.0.0.1 DATA_DIR=/tmp/start timeout 20 node dist/server/main.js; rm -r /tmp/start && ls dist/server/service-*.cache
# The only folder that is written to; the rest of the file system can be read-only.
RUN mkdir /data && chown 1000:1000 /data && chmod 700 /data
VOLUME /data
# A numeric id lets Kubernetes verify that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# No shell or npm in between, so that SIGTERM reaches the service.
CMD ["node", "dist/server/main.js"]
