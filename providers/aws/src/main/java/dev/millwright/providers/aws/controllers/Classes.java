package dev.millwright.providers.aws.controllers;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import java.util.List;

/// The EC2NodeClasses of a view.
public final class Classes {

    private Classes() {}

    public static List<Ec2NodeClass> in(View view, Kind<NodeClassObject> kind) {
        return view.cache(kind).all().stream().map(Ec2NodeClass::of).toList();
    }
}
