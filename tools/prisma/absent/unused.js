// Prisma's CLI loads parts of `prisma studio` and `prisma dev` before every command; nothing here uses them. `overrides` in
// the root's package.json puts this package in the place of theirs.
module.exports = {};
