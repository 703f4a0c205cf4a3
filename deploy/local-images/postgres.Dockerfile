# PostgreSQL 18 with the parts of the public image's interface that Compose uses: see postgres-entrypoint.sh.
FROM scratch
ADD rootfs.tar /
COPY postgres-entrypoint.sh /usr/local/bin/postgres-entrypoint.sh
RUN chmod 0755 /usr/local/bin/postgres-entrypoint.sh \
 && usermod --non-unique --uid 999 postgres && groupmod --non-unique --gid 999 postgres \
 && rm -rf /var/lib/postgresql && install -d -o 999 -g 999 -m 3777 /var/lib/postgresql /var/run/postgresql
ENV PATH=/usr/lib/postgresql/18/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8
USER 999:999
STOPSIGNAL SIGINT
ENTRYPOINT ["/usr/local/bin/postgres-entrypoint.sh"]
CMD ["postgres"]
