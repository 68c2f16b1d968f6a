// celcheck says what the API server would make of ValidatingAdmissionPolicies, with the API server's own packages and without a cluster: whether
// it accepts them, whether their expressions compile for a minor version, and what they say of objects. It reads one JSON request from standard
// input and writes one JSON answer to standard output. See request and answer for their shapes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

type request struct {
	// Minor versions of Kubernetes, "1.30". Policies are compiled for each of them, cases are evaluated for the last.
	Versions []string          `json:"versions"`
	Policies []json.RawMessage `json:"policies"`
	Cases    []testCase        `json:"cases"`
	// Whether to check types as the controller manager does for its warnings: it takes a second for each policy.
	Types bool `json:"types"`
}

type testCase struct {
	// The position of the policy.
	Policy    int             `json:"policy"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	User      string          `json:"user,omitempty"`
}

type answer struct {
	Policies []policyAnswer `json:"policies"`
	Cases    []caseAnswer   `json:"cases"`
}

type policyAnswer struct {
	// What the API server refuses the policy for.
	Invalid []string `json:"invalid"`
	// What does not compile, by minor version.
	Compile map[string][]string `json:"compile"`
	// What the controller manager would warn of in the status.
	Warnings []string `json:"warnings"`
}

type caseAnswer struct {
	// admit, deny, error (of an expression), unmatched (by a match condition) or refused (the API has no such object).
	Decision string   `json:"decision"`
	Messages []string `json:"messages"`
	// Cost of the validations, of which a policy has ten million; what matters to an expression is a million.
	Cost int64 `json:"cost"`
	// The object as admission sees it.
	Object any `json:"object"`
}

func main() {
	var asked request
	must(json.NewDecoder(os.Stdin).Decode(&asked))
	must(json.NewEncoder(os.Stdout).Encode(check(asked)))
}

func check(asked request) answer {
	result := answer{Policies: []policyAnswer{}, Cases: []caseAnswer{}}
	compiled := make([]*compiledPolicy, len(asked.Policies))
	checker := typeChecker()
	for i, raw := range asked.Policies {
		policy := decodePolicy(raw)
		said := policyAnswer{Invalid: invalid(policy), Compile: map[string][]string{}, Warnings: []string{}}
		for _, minor := range asked.Versions {
			compiled[i] = compile(policy, minor)
			said.Compile[minor] = compiled[i].errors
		}
		if asked.Types {
			for _, warning := range checker.Check(policy) {
				said.Warnings = append(said.Warnings, warning.FieldRef+": "+warning.Warning)
			}
		}
		result.Policies = append(result.Policies, said)
	}
	for _, one := range asked.Cases {
		result.Cases = append(result.Cases, compiled[one.Policy].evaluate(one))
	}
	return result
}

func decodePolicy(raw json.RawMessage) *v1.ValidatingAdmissionPolicy {
	object, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	must(err)
	legacyscheme.Scheme.Default(object)
	return object.(*v1.ValidatingAdmissionPolicy)
}

// invalid is the validation of the API server, before it stores a policy.
func invalid(policy *v1.ValidatingAdmissionPolicy) []string {
	internal := &admissionregistration.ValidatingAdmissionPolicy{}
	must(legacyscheme.Scheme.Convert(policy, internal, nil))
	messages := []string{}
	for _, err := range validation.ValidateValidatingAdmissionPolicy(internal) {
		messages = append(messages, err.Error())
	}
	return messages
}

type compiledPolicy struct {
	errors      []string
	matcher     matchconditions.Matcher
	validations plugincel.ConditionEvaluator
	validator   validating.Validator
}

// compile does what the admission plug-in does, in the environment of a minor version.
func compile(policy *v1.ValidatingAdmissionPolicy, minor string) *compiledPolicy {
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(version.MustParseGeneric(minor)))
	must(err)
	all := plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
	result := &compiledPolicy{errors: []string{}}
	for _, variable := range policy.Spec.Variables {
		accessor := &validating.Variable{Name: variable.Name, Expression: variable.Expression}
		if compiled := compiler.CompileAndStoreVariable(accessor, all, environment.NewExpressions); compiled.Error != nil {
			result.errors = append(result.errors, variable.Name+": "+compiled.Error.Error())
		}
	}
	conditions, validations, messages, audit := accessors(policy)
	for _, group := range [][]plugincel.ExpressionAccessor{conditions, validations, messages, audit} {
		for _, accessor := range group {
			if compiled := compiler.CompileCELExpression(accessor, all, environment.NewExpressions); compiled.Error != nil {
				result.errors = append(result.errors, accessor.GetExpression()+": "+compiled.Error.Error())
			}
		}
	}
	evaluator := func(group []plugincel.ExpressionAccessor) plugincel.ConditionEvaluator {
		return compiler.CompileCondition(group, all, environment.StoredExpressions)
	}
	result.matcher = matchconditions.NewMatcher(evaluator(conditions), policy.Spec.FailurePolicy, "policy", "validate", policy.Name)
	result.validations = evaluator(validations)
	result.validator = validating.NewValidator(result.validations, result.matcher, evaluator(audit), evaluator(messages), policy.Spec.FailurePolicy, nil)
	return result
}

func accessors(policy *v1.ValidatingAdmissionPolicy) (conditions, validations, messages, audit []plugincel.ExpressionAccessor) {
	for i := range policy.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[i]))
	}
	for _, one := range policy.Spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: one.Expression, Message: one.Message, Reason: one.Reason})
		messages = append(messages, &validating.MessageExpressionCondition{MessageExpression: one.MessageExpression})
	}
	for _, one := range policy.Spec.AuditAnnotations {
		audit = append(audit, &validating.AuditAnnotationCondition{Key: one.Key, ValueExpression: one.ValueExpression})
	}
	return conditions, validations, messages, audit
}

func (policy *compiledPolicy) evaluate(one testCase) caseAnswer {
	object, err := decode(one.Object)
	if err != nil {
		return caseAnswer{Decision: "refused", Messages: []string{err.Error()}}
	}
	var old runtime.Object
	operation := admission.Create
	if len(one.OldObject) > 0 {
		operation = admission.Update
		if old, err = decode(one.OldObject); err != nil {
			return caseAnswer{Decision: "refused", Messages: []string{err.Error()}}
		}
	}
	kind := object.GetObjectKind().GroupVersionKind()
	resource, _ := meta.UnsafeGuessKindToResource(kind)
	access, err := meta.Accessor(object)
	must(err)
	who := &user.DefaultInfo{Name: one.User}
	record := admission.NewAttributesRecord(object, old, kind, access.GetNamespace(), access.GetName(), resource, "", operation, nil, false, who)
	attributes := &admission.VersionedAttributes{Attributes: record, VersionedObject: object, VersionedOldObject: old, VersionedKind: kind}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: access.GetNamespace()}}
	result := policy.decide(attributes, resource, namespace)
	result.Object = object
	return result
}

func (policy *compiledPolicy) decide(attributes *admission.VersionedAttributes, resource schema.GroupVersionResource, namespace *corev1.Namespace) caseAnswer {
	ctx := context.Background()
	result := caseAnswer{Decision: "admit", Messages: []string{}}
	matched := policy.matcher.Match(ctx, attributes, nil, nil)
	if matched.Error == nil && !matched.Matches {
		result.Decision = "unmatched"
		return result
	}
	asked := plugincel.CreateAdmissionRequest(attributes, metav1.GroupVersionResource(resource), metav1.GroupVersionKind(attributes.VersionedKind))
	_, left, err := policy.validations.ForInput(ctx, attributes, asked, plugincel.OptionalVariableBindings{}, namespace, celconfig.RuntimeCELCostBudget)
	if err == nil {
		result.Cost = celconfig.RuntimeCELCostBudget - left
	}
	evaluated := policy.validator.Validate(ctx, resource, attributes, nil, namespace, celconfig.RuntimeCELCostBudget, nil)
	for _, decision := range evaluated.Decisions {
		if decision.Evaluation == validating.EvalAdmit {
			continue
		}
		result.Messages = append(result.Messages, decision.Message)
		if decision.Evaluation == validating.EvalError {
			result.Decision = "error"
		} else if result.Decision != "error" {
			result.Decision = "deny"
		}
	}
	for _, annotation := range evaluated.AuditAnnotations {
		if annotation.Error != "" {
			result.Decision = "error"
			result.Messages = append(result.Messages, annotation.Error)
		}
	}
	return result
}

// decode gives an object as admission sees it: typed and with its defaults where the API server brings the kind itself, else as it is.
func decode(raw json.RawMessage) (runtime.Object, error) {
	object, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if runtime.IsNotRegisteredError(err) || runtime.IsMissingVersion(err) {
		custom := &unstructured.Unstructured{}
		return custom, custom.UnmarshalJSON(raw)
	}
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(object)
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return object, nil
}

func typeChecker() *validating.TypeChecker {
	return &validating.TypeChecker{
		SchemaResolver: resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, legacyscheme.Scheme),
		RestMapper:     testrestmapper.TestOnlyStaticRESTMapper(legacyscheme.Scheme),
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "celcheck:", err)
		os.Exit(1)
	}
}
