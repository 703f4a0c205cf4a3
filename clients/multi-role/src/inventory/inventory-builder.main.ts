import { builderVoice } from '../numbers/builder-voice.js';
import { writeStderr } from '@launch/client-core/command';
import { runOffline } from '../offline/run-offline.js';
import { runInventoryBuilder } from './inventory-builder.cli.js';
import type { InventoryMaterial } from './inventory-material.js';

/** Defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

await runOffline(() =>
  runInventoryBuilder(process.argv.slice(2), INVENTORY_MATERIAL, builderVoice(process.stderr.isTTY, writeStderr)),
);
