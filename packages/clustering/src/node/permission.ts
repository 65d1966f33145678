/** What Node's permission model (`node --permission`) may refuse, and the flag that allows it. */
const FLAGS = {
  worker: '--allow-worker',
  addon: '--allow-addons',
  'fs.read': '--allow-fs-read',
} as const;

/**
 * Why Node's permission model refuses something, threads, native addons or the file or folder at `path`, and the flag
 * that allows it; undefined if it is allowed.
 */
export function refusedByNode(scope: keyof typeof FLAGS, what: string, path?: string): string | undefined {
  // Not in all versions and modes of Node.
  const permission: typeof process.permission | undefined = process.permission;
  if (permission === undefined || permission.has(scope, path)) return undefined;
  const value = path === undefined ? '' : `=${path}`;
  return `Node's permission model refuses ${what}; expected the flag ${FLAGS[scope]}${value}`;
}

/** By the name of a permission in an error: what is refused, and the flag that allows it. */
const DENIED: Readonly<Record<string, {readonly what: string; readonly flag: string}>> = {
  FileSystemRead: {what: 'to read', flag: '--allow-fs-read'},
  FileSystemWrite: {what: 'to write', flag: '--allow-fs-write'},
  WorkerThreads: {what: 'worker threads', flag: '--allow-worker'},
  ChildProcess: {what: 'child processes', flag: '--allow-child-process'},
};

/**
 * Why Node's permission model has caused an error: the file or package, and the flag that allows it. Undefined for any
 * other error.
 */
export function refusedAccess(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  if (error.code === 'ERR_DLOPEN_DISABLED') {
    const [, name = 'a package'] =
      /node_modules[\\/](?!\.pnpm)((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(error.stack ?? '') ?? [];
    return `Node's permission model refuses the native addon of ${name}; expected the flag ${FLAGS.addon}`;
  }
  if (error.code !== 'ERR_ACCESS_DENIED' || !('permission' in error)) return undefined;
  const denied = DENIED[String(error.permission)];
  if (denied === undefined) return undefined;
  const path = 'resource' in error && typeof error.resource === 'string' ? error.resource : '';
  const [suffix, value] = path === '' ? ['', ''] : [` ${path}`, `=${path}`];
  return `Node's permission model refuses ${denied.what}${suffix}; expected the flag ${denied.flag}${value}`;
}
