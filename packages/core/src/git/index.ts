/** What Git knows of a repository, read from its objects: the working tree is looked at by us alone. */
export { isSameFile, isSameLink } from './object-hash.js';
export { repositoryFolder } from './repository-folder.js';
export { type Tracked, trackedFiles } from './tracked.js';
export { type CommitTree, commonCommit, type TreeEntry, treeOf } from './tree.js';
