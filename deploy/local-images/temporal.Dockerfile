# Temporal's server, command lines, schema and UI, in the places where the public images have them.
FROM scratch
ADD rootfs.tar /
COPY bin/temporal-server bin/temporal-sql-tool bin/temporal /usr/local/bin/
COPY bin/ui-server /home/ui-server/ui-server
COPY schema /etc/temporal/schema
RUN mkdir -p /home/ui-server/config && chmod 0755 /home/ui-server/ui-server
USER 65532:65532
CMD ["temporal-server", "start"]
