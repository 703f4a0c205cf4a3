throw new Error('`prisma studio` and `prisma dev` are not installed here, see tools/prisma/README.md');
