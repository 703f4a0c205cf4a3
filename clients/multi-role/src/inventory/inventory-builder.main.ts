import { builderVoice } from '../numbers/builder-voice.js';
import { writeStderr } from '@launch/client-core/command';
import { runOffline } from '../offline/run-offline.js';
import { INVENTORY_BUILDER, runInventoryBuilder } from './inventory-builder.cli.js';
import type { InventoryMaterial } from './inventory-material.js';

/** Defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

const voice = builderVoice(process.stderr.isTTY, writeStderr);
await runOffline(INVENTORY_BUILDER, process.argv.slice(2), (argv) =>
  runInventoryBuilder(argv, INVENTORY_MATERIAL, voice),
);
