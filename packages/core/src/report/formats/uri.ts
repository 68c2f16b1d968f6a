/**
 * A file name as a URI reference: relative to the working directory for a relative name, `file:` for an absolute one (POSIX or Windows).
 * Everything that is not plain in a path segment is percent-encoded; `.` segments are dropped, `..` stays.
 */
export function fileUri(file: string): string {
  const slashed = file.toWellFormed().replaceAll('\\', '/');
  const drive = /^[A-Za-z]:(?=\/)/.exec(slashed)?.[0] ?? '';
  const absolute = drive !== '' || slashed.startsWith('/');
  const segments = slashed.slice(drive.length).split('/');
  const path = segments
    .filter((segment) => segment !== '.' && segment !== '')
    .map(encodeURIComponent)
    .join('/');
  return absolute ? `file:///${drive === '' ? '' : `${drive}/`}${path}` : path;
}

/** A file name as CI systems show it: with forward slashes, relative names without a leading `./`. */
export function filePath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}
