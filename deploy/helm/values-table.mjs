// The values of the chart as a table: keys and meanings of values.schema.json, defaults of values.yaml.

/** Returns the rows of a schema: `| key | default | meaning |`. An object without closed properties is one row. */
export function valuesTable(schema, defaults) {
  const rows = ['| value | default | meaning |', '| --- | --- | --- |'];
  const add = (key, node, value) => {
    if (node.properties !== undefined && value !== undefined) {
      if (key !== '' && !isReference(node)) rows.push(`| \`${key}\` | | **${node.description}** |`);
      if (isReference(node)) rows.push(`| \`${key}\` | \`${value.secret}\`, \`${value.key}\` | ${node.description} |`);
      else for (const [name, next] of Object.entries(node.properties)) add(key === '' ? name : `${key}.${name}`, next, value[name]);
    } else if (value !== undefined) rows.push(`| \`${key}\` | ${shown(value)} | ${node.description} |`);
  };
  add('', schema, defaults);
  return rows.join('\n');
}

/** A key of a Secret: its two members are one row. */
const isReference = ({ properties }) => Object.keys(properties).join() === 'secret,key';

const shown = (value) => (value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``);
