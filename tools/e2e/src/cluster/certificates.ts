import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../deployed/run-program.js';

const DAYS = '30';
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** A certificate authority of one test, with openssl. */
export class Certificates {
  constructor(private readonly folder: string) {}

  get authority(): string {
    return this.#file('ca.crt');
  }

  /** Makes the authority. */
  async open(): Promise<this> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#request('ca', 'Test authority', ['-addext', 'keyUsage=critical,keyCertSign,digitalSignature']);
    return this;
  }

  /** Makes a certificate for server and client, with names of DNS; returns the files of certificate and key. */
  async issue(name: string, names: readonly string[]): Promise<{ readonly certificate: string; readonly key: string }> {
    await this.#request(name, name, [
      ...['-CA', this.authority, '-CAkey', this.#file('ca.key')],
      ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
      ...['-addext', `subjectAltName=${names.map((one) => `DNS:${one}`).join(',')}`],
    ]);
    return { certificate: this.#file(`${name}.crt`), key: this.#file(`${name}.key`) };
  }

  async #request(name: string, subject: string, more: readonly string[]): Promise<void> {
    const files = ['-keyout', this.#file(`${name}.key`), '-out', this.#file(`${name}.crt`)];
    const command = ['openssl', 'req', '-x509', ...KEY, '-days', DAYS, '-subj', `/CN=${subject}`, ...files, ...more];
    await runProgram(command, { cwd: this.folder });
  }

  #file(name: string): string {
    return path.join(this.folder, name);
  }
}
