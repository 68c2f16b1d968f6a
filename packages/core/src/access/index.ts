export { AccessGraph, type AccessOptions, type Binding, bindingOf, type Grant } from './access-graph.js';
export { type AccessRequest, allows, namesResource, type ResourceRequest, type UrlRequest } from './allows.js';
export { describeRule } from './describe-rule.js';
export { type PolicyRule, policyRule } from './policy-rule.js';
export { type AccessObject, objectName, type Place, placeText, type Role, type RoleName, type RoleRule } from './role.js';
export { type AccessSubject, subjectName } from './subject.js';
export { type AccessAnswer, type AccessPath, type AccessQuestion, whoCan } from './who-can.js';
