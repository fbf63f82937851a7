# precedent for systems other than Debian 12.
#
#   docker build -t precedent .
#   docker run --rm -v precedent-data:/data -v "$PWD/runbooks:/import:ro" precedent ingest /import
#   docker run --rm -v precedent-data:/data precedent ask "how do I …"
#
# Build with --build-arg MODEL=no to leave out the embedding model (87 MB): searching by words only.

FROM debian:bookworm-slim AS build
# The list first: this layer is made again only when it changes.
WORKDIR /precedent
COPY scripts/debian-packages scripts/install-packages scripts/
RUN scripts/install-packages build && rm -rf /var/lib/apt/lists/*
COPY scripts/fetch-model scripts/
ARG MODEL=yes
RUN mkdir -p /models && if [ "$MODEL" = yes ]; then scripts/fetch-model /models/all-MiniLM-L6-v2; fi
COPY . .
RUN cmake --preset release -DPRECEDENT_BUILD_TESTS=OFF -DPRECEDENT_BUILD_BENCHES=OFF \
 && cmake --build --preset release --target precedent \
 && strip build/release/precedent

FROM debian:bookworm-slim
# What the program is linked with (scripts/check-image, a test); libdnnl2 brings its OpenCL loader along. ca-certificates are for
# models, metrics and traces over TLS, universal-ctags is a program of its own for the symbols of code.
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends \
      ca-certificates libcurl4 libdate-tz3 libdnnl2 libedit2 libfmt9 libgit2-1.5 libgomp1 libmd4c0 libpqxx-6.4 libprometheus-cpp-core1.0 libpugixml1v5 \
      libre2-9 libsqlite3-0 libssl3 libstdc++6 libstemmer0d libutf8proc2 libxxhash0 libyaml-cpp0.7 tzdata universal-ctags \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home --shell /usr/sbin/nologin precedent \
 && install -d -o precedent -g precedent /data
COPY --from=build /models /usr/share/precedent/models
COPY --from=build /precedent/build/release/precedent /usr/local/bin/precedent
ENV PRECEDENT_DATA_DIR=/data PRECEDENT_MODEL_DIR=/usr/share/precedent/models
USER precedent
VOLUME /data
ENTRYPOINT ["precedent"]
CMD ["--help"]
