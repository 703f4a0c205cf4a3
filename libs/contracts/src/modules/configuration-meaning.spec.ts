import { expect, it } from '@jest/globals';
import { valueFault } from './configuration-meaning.js';
import type { ConfigurationField } from './configuration.schema.js';

const field = (key: string, type: string, more: Partial<ConfigurationField> = {}): ConfigurationField => ({
  ...{ key, label: 'K', type, unit: 'none', required: true, immutable: false },
  ...more,
});

it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'A tuple’s field may have the name of a member that every object inherits: %s.',
  (key) => {
    const tuple = (more: Partial<ConfigurationField>) => field('t', 'tuple', { fields: [field(key, 'wei', more)] });
    expect(valueFault(tuple({}), {})).toBe('a value for each required field');
    expect(valueFault(tuple({ default: '7' }), {})).toBeNull();
    expect(valueFault(tuple({}), { [key]: '7' })).toBeNull();
    expect(valueFault(field('t', 'tuple', { fields: [field('a', 'wei')] }), { a: '7', [key]: '7' })).toBe(
      'its declared fields alone',
    );
  },
);
