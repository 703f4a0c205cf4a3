import { Inject, Injectable } from '@nestjs/common';
import { LAUNCH_GATES, type LaunchGate } from '@launch/contracts/reports';
import type { GatewayDatabase, LaunchGate as GateChange } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { CHANGE, LATEST, LOCK } from './launch-gates.sql.js';

/** A change of gates by an operator. */
export interface GateSetting {
  readonly gates: readonly LaunchGate[];
  readonly isOpen: boolean;
  /** The operator. */
  readonly setBy: string;
}

/** Stores changes of gates, one row each, written once. */
@Injectable()
export class LaunchGatesRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns the gates that are open now. */
  async open(): Promise<ReadonlySet<LaunchGate>> {
    const rows = await this.database.query(LATEST);
    return new Set(LAUNCH_GATES.filter((name) => rows.some(({ gate, isOpen }) => gate === name && isOpen)));
  }

  /** Stores the changes, all or none. @returns the gates that changed; a gate already in this state gets no row. */
  async set({ gates, isOpen, setBy }: GateSetting): Promise<readonly LaunchGate[]> {
    return this.database.transaction(async (session) => {
      await session.query(LOCK);
      const rows = await session.query(LATEST);
      const wasOpen = (gate: LaunchGate): boolean => rows.some((row) => row.gate === gate && row.isOpen);
      const changed = gates.filter((gate) => wasOpen(gate) !== isOpen);
      for (const gate of changed) await session.query(CHANGE, [gate, isOpen, setBy]);
      return changed;
    });
  }

  /** Lists every change, the newest first. */
  async changes(): Promise<readonly GateChange[]> {
    return this.database.prisma.launchGate.findMany({ orderBy: { change: 'desc' } });
  }
}
