package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
)

var errReadOnly = errors.New("the document is read-only")

// store holds the objects of one document and answers as an informer cache does: indexed, and deep copies on the way
// out. The fake client of controller-runtime would go through JSON at each read, and its time would count as the peer's.
type store struct {
	tables map[reflect.Type]*table
}

type table struct {
	objects     []client.Object
	byKey       map[client.ObjectKey]client.Object
	byNamespace map[string][]client.Object
	byField     map[string]map[string][]client.Object
}

// fieldIndexes are the field selectors the solver uses.
var fieldIndexes = map[reflect.Type]map[string]func(client.Object) string{
	reflect.TypeFor[corev1.Pod](): {
		"spec.nodeName": func(o client.Object) string { return o.(*corev1.Pod).Spec.NodeName },
	},
	reflect.TypeFor[corev1.Node](): {
		"spec.providerID": func(o client.Object) string { return o.(*corev1.Node).Spec.ProviderID },
	},
	reflect.TypeFor[karpenter.NodeClaim](): {
		"status.providerID": func(o client.Object) string { return o.(*karpenter.NodeClaim).Status.ProviderID },
	},
}

// newStore indexes objects in the order of their names, so that equal documents give equal lists.
func newStore(objects []client.Object) (*store, error) {
	result := &store{tables: map[reflect.Type]*table{}}
	sorted := slices.SortedFunc(slices.Values(objects), func(a, b client.Object) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	for _, object := range sorted {
		if err := result.add(object); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (s *store) add(object client.Object) error {
	kind := reflect.TypeOf(object).Elem()
	rows, ok := s.tables[kind]
	if !ok {
		rows = &table{
			byKey:       map[client.ObjectKey]client.Object{},
			byNamespace: map[string][]client.Object{},
			byField:     map[string]map[string][]client.Object{},
		}
		s.tables[kind] = rows
	}
	key := client.ObjectKeyFromObject(object)
	if _, exists := rows.byKey[key]; exists {
		return fmt.Errorf("%s %s is stated twice; keep one", kind.Name(), key)
	}
	rows.objects = append(rows.objects, object)
	rows.byKey[key] = object
	rows.byNamespace[key.Namespace] = append(rows.byNamespace[key.Namespace], object)
	for field, valueOf := range fieldIndexes[kind] {
		if rows.byField[field] == nil {
			rows.byField[field] = map[string][]client.Object{}
		}
		value := valueOf(object)
		rows.byField[field][value] = append(rows.byField[field][value], object)
	}
	return nil
}

// all returns the stored objects of one kind, which the caller must not change.
func all[T any](s *store) []*T {
	rows, ok := s.tables[reflect.TypeFor[T]()]
	if !ok {
		return nil
	}
	result := make([]*T, 0, len(rows.objects))
	for _, object := range rows.objects {
		result = append(result, any(object).(*T))
	}
	return result
}

// reader is a client.Client over a store. With an order it shuffles lists, as the real cache gives no order either.
type reader struct {
	store *store
	order *rand.Rand
}

func (r reader) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := reflect.TypeOf(into).Elem()
	rows, ok := r.store.tables[kind]
	if ok {
		if found, exists := rows.byKey[scoped(kind, key)]; exists {
			reflect.ValueOf(into).Elem().Set(reflect.ValueOf(found.DeepCopyObject()).Elem())
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: kind.Name()}, key.Name)
}

// scoped drops the namespace for cluster-wide kinds: some callers give one all the same.
func scoped(kind reflect.Type, key client.ObjectKey) client.ObjectKey {
	if isNamespaced(kind.Name()) {
		return key
	}
	return client.ObjectKey{Name: key.Name}
}

func isNamespaced(kind string) bool {
	switch kind {
	case "NodePool", "NodeClaim", "Node", "Namespace", "PersistentVolume", "StorageClass", "CSINode", "VolumeAttachment",
		"PriorityClass", "ResourceSlice", "DeviceClass":
		return false
	default:
		return true
	}
}

func (r reader) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	var wanted client.ListOptions
	wanted.ApplyOptions(options)
	items := reflect.ValueOf(into).Elem().FieldByName("Items")
	found, err := r.matching(items.Type().Elem(), wanted)
	if err != nil {
		return err
	}
	result := reflect.MakeSlice(items.Type(), len(found), len(found))
	isShared := wanted.UnsafeDisableDeepCopy != nil && *wanted.UnsafeDisableDeepCopy
	for i, object := range found {
		if isShared {
			result.Index(i).Set(reflect.ValueOf(object).Elem())
		} else {
			result.Index(i).Set(reflect.ValueOf(object.DeepCopyObject()).Elem())
		}
	}
	items.Set(result)
	return nil
}

func (r reader) matching(kind reflect.Type, wanted client.ListOptions) ([]client.Object, error) {
	rows, ok := r.store.tables[kind]
	if !ok {
		return nil, nil
	}
	candidates := rows.objects
	if wanted.Namespace != "" {
		candidates = rows.byNamespace[wanted.Namespace]
	}
	if wanted.FieldSelector != nil && !wanted.FieldSelector.Empty() {
		byField, err := rows.selected(kind, wanted.FieldSelector)
		if err != nil {
			return nil, err
		}
		candidates = byField
	}
	result := make([]client.Object, 0, len(candidates))
	for _, object := range candidates {
		isHere := wanted.Namespace == "" || object.GetNamespace() == wanted.Namespace
		isLabelled := wanted.LabelSelector == nil || wanted.LabelSelector.Matches(labelSet(object.GetLabels()))
		if isHere && isLabelled {
			result = append(result, object)
		}
	}
	if r.order != nil {
		r.order.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
	}
	return result, nil
}

func (t *table) selected(kind reflect.Type, selector fields.Selector) ([]client.Object, error) {
	requirements := selector.Requirements()
	if len(requirements) != 1 || t.byField[requirements[0].Field] == nil {
		return nil, fmt.Errorf("%s has no index for field selector %q; add one to fieldIndexes", kind.Name(), selector)
	}
	return t.byField[requirements[0].Field][requirements[0].Value], nil
}

// labelSet lets a label map be matched without the copy that labels.Set conversions invite.
type labelSet map[string]string

func (l labelSet) Has(key string) bool { _, ok := l[key]; return ok }

func (l labelSet) Get(key string) string { return l[key] }

func (l labelSet) Lookup(key string) (string, bool) { value, ok := l[key]; return value, ok }

func (r reader) Scheme() *runtime.Scheme { return scheme.Scheme }

func (r reader) RESTMapper() meta.RESTMapper { return meta.NewDefaultRESTMapper(nil) }

func (r reader) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, scheme.Scheme)
}

func (r reader) IsObjectNamespaced(object runtime.Object) (bool, error) {
	kind, err := r.GroupVersionKindFor(object)
	return isNamespaced(kind.Kind), err
}

func (r reader) Create(context.Context, client.Object, ...client.CreateOption) error {
	return errReadOnly
}

func (r reader) Delete(context.Context, client.Object, ...client.DeleteOption) error {
	return errReadOnly
}

func (r reader) Update(context.Context, client.Object, ...client.UpdateOption) error {
	return errReadOnly
}

func (r reader) Patch(context.Context, client.Object, client.Patch, ...client.PatchOption) error {
	return errReadOnly
}

func (r reader) Apply(context.Context, runtime.ApplyConfiguration, ...client.ApplyOption) error {
	return errReadOnly
}

func (r reader) DeleteAllOf(context.Context, client.Object, ...client.DeleteAllOfOption) error {
	return errReadOnly
}

func (r reader) Status() client.SubResourceWriter { return r.SubResource("status") }

func (r reader) SubResource(string) client.SubResourceClient { return readOnlyPart{} }

// readOnlyPart refuses what reader refuses, for subresources.
type readOnlyPart struct{}

func (readOnlyPart) Get(context.Context, client.Object, client.Object, ...client.SubResourceGetOption) error {
	return errReadOnly
}

func (readOnlyPart) Create(context.Context, client.Object, client.Object, ...client.SubResourceCreateOption) error {
	return errReadOnly
}

func (readOnlyPart) Update(context.Context, client.Object, ...client.SubResourceUpdateOption) error {
	return errReadOnly
}

func (readOnlyPart) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	return errReadOnly
}

func (readOnlyPart) Apply(context.Context, runtime.ApplyConfiguration, ...client.SubResourceApplyOption) error {
	return errReadOnly
}
