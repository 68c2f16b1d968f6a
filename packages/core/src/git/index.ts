/** What Git knows of a repository, read from its objects: the working tree is looked at by us alone. */
export { isInTree, pathAt, readAt } from './path-at.js';
export { repositoryFolder } from './repository-folder.js';
export { isSameEntry, isSamePath } from './same-path.js';
export { type Tracked, trackedFiles } from './tracked.js';
export { type CommitTree, commonCommit, namedCommit, type TreeEntry, treeOf } from './tree.js';
