/** Every route of the service as a typed operation, with the validators of its responses, and the client that calls them. */
export * from '@launch/api-client';
