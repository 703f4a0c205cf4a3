import { Hono } from 'hono';

/** Ponder wants an API; nothing asks it. */
export default new Hono();
