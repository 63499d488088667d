# The whole service in one container: a development market or, with RPC_URL, Base. The first market is made when the image is
# built, so that a container is up in seconds. What it stores is in the volume.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
WORKDIR /app
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node clients/typescript/package.json clients/typescript/
RUN npm ci --ignore-scripts && npm rebuild esbuild classic-level @foundry-rs/anvil
COPY --chown=node:node . .
ENV PORT=4100 PUBLIC_URL="" RPC_URL="" MALLOC_ARENA_MAX=2 NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=768"
RUN npm run --silent build:types && npm run --silent build:site
# The keys are made by each container, so that no two have the same.
RUN node dev/local/run.mjs start --port $PORT & run=$!; until [ -f .z100/ready.json ]; do kill -0 $run || exit 1; sleep 1; done; kill -INT $run; wait $run && rm .z100/demo-keys.json
VOLUME /app/.z100
EXPOSE 4100
HEALTHCHECK --interval=60s --start-period=120s CMD node dev/local/run.mjs admin probe http://127.0.0.1:$PORT
CMD exec node dev/local/run.mjs start --host 0.0.0.0 --port $PORT ${PUBLIC_URL:+--public-url $PUBLIC_URL} ${RPC_URL:+--rpc-url $RPC_URL --data-dir .z100/base}
