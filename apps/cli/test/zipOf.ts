import {crc32} from 'node:zlib';

/** A ZIP archive of two entries at most, which are stored. */
export function zipOf(...entries: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (let k = 0; k < entries.length; k += 2) {
    const [name, content] = [Buffer.from(entries[k]), Buffer.from(entries[k + 1])];
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(content.length, 4);
    sizes.writeUInt32LE(content.length, 8);
    sizes.writeUInt16LE(name.length, 12);
    const local = Buffer.concat([Buffer.from('504b03040a000000000000000000', 'hex'), sizes, name, content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('504b01020a000a000000000000000000', 'hex'), sizes, place, name]));
    parts.push(local);
    at += local.length;
  }
  const entriesBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entriesBytes.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entriesBytes, end]);
}
